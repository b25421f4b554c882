import DocumentValues
import FieldModels

/// The owners of a record. An empty name counts as none, as in the gateway's sync function.
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
        case .site, .finding, .form, .response: self.inspector = nil
        }
    }

    /// The person who does the work: the inspector, or the creator of a record without one.
    var worker: String? { inspector ?? creator }

    /// Whether the user may take a record out of its district without being a supervisor. A record that names no user is
    /// for all users, except sites.
    func has(_ user: String) -> Bool {
        if creator == nil, inspector == nil { return kind != .site }
        return creator.isExactly(user) || inspector.isExactly(user)
    }

    /// The same for a deletion: a user who has made an inspection for another inspector has given the work away with
    /// it.
    func mayDelete(_ user: String) -> Bool {
        guard kind == .inspection, let inspector else { return has(user) }
        return inspector.isExactly(user)
    }

    /// Whom to ask.
    var first: String { worker ?? "somebody else" }
}
