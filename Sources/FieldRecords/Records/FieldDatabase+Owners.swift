import DocumentStore
import DocumentValues
import FieldModels

/// Whose records are, as a gateway's sync function has it.
extension FieldDatabase {
    /// Whose record it is, where the gateway lets supervisors alone take it to another district: it has the record, and that is
    /// somebody else's.
    ///
    /// - Parameters:
    ///   - district: the code of the other one.
    ///   - user: who wants to move it.
    /// - Returns: `nil` where the user may, or the gateway has it in that district.
    public func owner(
        keeping kind: RecordKind, _ id: String, outOf district: String, from user: String
    ) throws -> String? {
        guard let body = try takenBody(of: kind, id),
            body["district"]?.stringValue.isExactly(district) != true
        else { return nil }
        let owners = RecordOwners(of: kind, body)
        return owners.has(user) ? nil : owners.first
    }

    /// Whose a record is that the gateway has, and lets nobody else delete but supervisors; `nil` where it is the user's, or
    /// nobody's.
    public func owner(of kind: RecordKind, id: String, otherThan user: String) throws -> String? {
        guard let body = try takenBody(of: kind, id) else { return nil }
        let owners = RecordOwners(of: kind, body)
        return owners.mayDelete(user) ? nil : owners.first
    }

    /// Whose a finding is that the gateway has with a photo, and lets nobody else take that photo from but supervisors; `nil`
    /// where it is the user's, or nobody's.
    public func owner(ofFinding id: String, with photo: Photo, otherThan user: String) throws -> String? {
        let digest = Name(photo.blob.digest.text)
        guard let body = try takenBody(of: .finding, id),
            (body["photos"]?.arrayValue ?? []).contains(where: { ItemKeys.digest($0) == digest })
        else { return nil }
        let owners = RecordOwners(of: .finding, body)
        return owners.has(user) ? nil : owners.first
    }

    /// What the gateway has of a record: what was changed here since makes it nobody's.
    private func takenBody(of kind: RecordKind, _ id: String) throws -> JSONObject? {
        guard try isTaken(kind, id: id) else { return nil }
        return try gatewayBody(of: kind, id) ?? collection(of: kind).document(id: id)?.body ?? JSONObject()
    }

    /// What a gateway has of a record that was changed here since; `nil` where it has none, or that is not kept.
    func gatewayBody(of kind: RecordKind, _ id: String) throws -> JSONObject? {
        try collection(of: kind).baseBody(of: id).flatMap { JSONObject.readable($0) }
    }
}

/// Whose a record is. A name of no letters is nobody's, as a gateway's sync function has it.
struct RecordOwners {
    private let creator: String?
    private let inspector: String?
    private let kind: RecordKind

    init(of kind: RecordKind, _ body: JSONObject) {
        self.init(
            of: kind, creator: body["createdBy"]?.stringValue, inspector: body["inspector"]?.stringValue)
    }

    init(of inspection: Inspection) {
        self.init(of: .inspection, creator: inspection.envelope.createdBy, inspector: inspection.inspector)
    }

    private init(of kind: RecordKind, creator: String?, inspector: String?) {
        func somebody(_ name: String?) -> String? { name.flatMap { $0.utf8.isEmpty ? nil : $0 } }
        self.kind = kind
        self.creator = somebody(creator)
        switch kind {
        case .inspection, .assignment: self.inspector = somebody(inspector)
        case .site, .finding, .form: self.inspector = nil
        }
    }

    /// Who does the work: the inspector, or who has made the record where it names none.
    var worker: String? { inspector ?? creator }

    /// Who may take a record out of its district without being a supervisor. What names nobody is everybody's, but for sites.
    func has(_ user: String) -> Bool {
        if creator == nil, inspector == nil { return kind != .site }
        return creator.isExactly(user) || inspector.isExactly(user)
    }

    /// The same for a deletion: who has made an inspection for somebody else has given the work away with it.
    func mayDelete(_ user: String) -> Bool {
        guard kind == .inspection, let inspector else { return has(user) }
        return inspector.isExactly(user)
    }

    /// Whom to ask.
    var first: String { worker ?? "somebody else" }
}
