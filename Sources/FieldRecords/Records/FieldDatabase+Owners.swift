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

/// Who may take a record out of its district without being a supervisor.
struct RecordOwners {
    private let creator: String?
    private let inspector: String?
    private let kind: RecordKind

    init(of kind: RecordKind, _ body: JSONObject) {
        func name(_ member: String) -> String? { body[member]?.stringValue.flatMap { $0.utf8.isEmpty ? nil : $0 } }
        self.kind = kind
        creator = name("createdBy")
        switch kind {
        case .inspection, .assignment: inspector = name("inspector")
        case .site, .finding, .form: inspector = nil
        }
    }

    /// What names nobody is everybody's, but for sites.
    func has(_ user: String) -> Bool {
        if creator == nil, inspector == nil { return kind != .site }
        return creator.isExactly(user) || inspector.isExactly(user)
    }

    /// Whom to ask.
    var first: String { inspector ?? creator ?? "somebody else" }
}
