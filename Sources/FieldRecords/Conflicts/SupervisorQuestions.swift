import DocumentValues
import FieldModels

/// Questions that are not everybody's: why an inspection is returned is a supervisor's to say, and so to decide where two have
/// said different things; and so is its status, where a supervisor has approved or returned it: nobody else decides that away.
extension RecordConflict {
    /// The reason of a return.
    public static let review = FieldPath("review")
    /// Whether it is approved, returned or anything else.
    public static let status = FieldPath("status")

    /// What a supervisor has to decide about an inspection; `nil` where that is nothing.
    public var ofSupervisors: RecordConflict? {
        kind == .inspection ? with(fields: fields.filter(\.isOfSupervisors), deletion: nil) : nil
    }

    /// What everybody may decide; `nil` where that is nothing.
    public var ofEverybody: RecordConflict? {
        kind == .inspection ? without(Set(fields.filter(\.isOfSupervisors).map(\.path))) : self
    }

    /// What there is to decide besides some fields; `nil` where that is nothing.
    public func without(_ paths: Set<FieldPath>) -> RecordConflict? {
        with(fields: fields.filter { !paths.contains($0.path) }, deletion: deletion)
    }
}

extension ContestedField {
    /// Why an inspection is returned, and its status, where a supervisor has said something about that.
    fileprivate var isOfSupervisors: Bool {
        if path == RecordConflict.review { return true }
        guard path == RecordConflict.status else { return false }
        return ([current] + others).contains { value in
            switch value.value?.stringValue.flatMap({ Inspection.Status(rawValue: $0) }) {
            case .approved, .returned: true
            case .draft, .submitted, nil: false
            }
        }
    }
}

/// What a person is asked to decide. No laptop knows its user's roles: who may be a supervisor is asked about the work of
/// others.
public struct OpenQuestions {
    private let field: FieldDatabase
    private let user: String?
    private var role: SupervisorRole?

    /// - Parameter user: `nil` where nobody has signed in: is asked everything.
    public init(of user: String?, in field: FieldDatabase) {
        self.user = user
        self.field = field
    }

    /// - Returns: what of the conflict the person is asked about; `nil` where that is nothing.
    public mutating func about(_ conflict: RecordConflict) throws -> RecordConflict? {
        guard let user, conflict.ofSupervisors != nil else { return conflict }
        return try !conflict.isWork(of: user) && mayBeSupervisor(user) ? conflict : conflict.ofEverybody
    }

    /// Looked at once: it reads all records.
    private mutating func mayBeSupervisor(_ user: String) throws -> Bool {
        let known = try role ?? field.supervisorRole(of: user)
        role = known
        return known != .unlikely
    }
}

extension FieldDatabase {
    /// What a person is asked to decide about a record; `nil` where that is nothing, or there is no such record.
    ///
    /// - Parameter user: `nil` where nobody has signed in: everything.
    public func conflict(of kind: RecordKind, _ id: String, for user: String?) throws -> RecordConflict? {
        var questions = OpenQuestions(of: user, in: self)
        return try conflict(of: kind, id).flatMap { try questions.about($0) }
    }
}

extension FieldDatabase {
    /// Whether a decision about an assignment says more than gateways take from somebody who is no supervisor.
    public func changesAssigned(
        _ conflict: RecordConflict, choices: [FieldPath: JSONValue], by user: String
    ) throws -> Bool {
        let known = try gatewayBody(of: .assignment, conflict.id) ?? conflict.object
        return conflict.kind == .assignment && conflict.changesAssigned(choices, over: known, by: user)
    }
}

extension RecordConflict {
    /// The person who assigned it decides what it is; the one who is to do it says that it is done, or open again unless it was
    /// dropped.
    ///
    /// - Parameter known: the assignment as the gateway has it: what stays so is no change.
    func changesAssigned(_ choices: [FieldPath: JSONValue], over known: JSONObject, by user: String) -> Bool {
        if known["createdBy"]?.stringValue.isExactly(user) == true { return false }
        return choices.contains { path, value in
            let before = path.read(known)
            if ValueOrder.isSame(ValueOrder.present(value), and: before) { return false }
            guard isWork(of: user) else { return true }
            if path == FieldPath("status") { return !Self.isReport(value, over: before) }
            return path != FieldPath("inspection")
        }
    }

    private static func isReport(_ status: JSONValue, over before: JSONValue?) -> Bool {
        switch assignmentStatus(status) {
        case .done: true
        case .open: assignmentStatus(before) != .dropped
        case .dropped, nil: false
        }
    }

    private static func assignmentStatus(_ value: JSONValue?) -> Assignment.Status? {
        value?.stringValue.flatMap(Assignment.Status.init(rawValue:))
    }
}

extension RecordConflict {
    /// Whether somebody is the inspector, or has made it where it names none.
    public func isWork(of user: String) -> Bool {
        RecordOwners(of: kind, object).worker.isExactly(user)
    }
}
