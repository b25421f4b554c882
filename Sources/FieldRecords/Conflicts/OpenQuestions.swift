import DocumentValues
import FieldModels

/// Questions that only some users may decide.
///
/// Only supervisors give the reason of a return, so only they decide between two reasons. The same holds for the status of
/// an inspection or a filled form that a supervisor has approved or returned. Only the people who assign work decide about
/// the content of an assignment, and whether it is deleted or dropped.
extension RecordConflict {
    /// The inspection that an assignment has led to.
    private static let outcome = FieldPath("inspection")

    /// The questions that a supervisor has to decide; `nil` if there are none.
    public var ofSupervisors: RecordConflict? {
        with(fields: fields.filter(isOfSupervisors), deletion: isDeletionOfSupervisors ? deletion : nil)
    }

    /// The questions that others may decide; `nil` if there are none.
    public var ofEverybody: RecordConflict? {
        with(fields: fields.filter { !isOfSupervisors($0) }, deletion: isDeletionOfSupervisors ? nil : deletion)
    }

    /// The questions besides some fields; `nil` if there are none.
    public func without(_ paths: Set<FieldPath>) -> RecordConflict? {
        with(fields: fields.filter { !paths.contains($0.path) }, deletion: deletion)
    }

    private var isDeletionOfSupervisors: Bool { kind == .assignment }

    private func isOfSupervisors(_ field: ContestedField) -> Bool {
        switch kind {
        case .inspection: field.path == Self.review || (field.path == Self.status && field.isReviewed)
        case .assignment: field.path == Self.status ? field.isDropped : field.path != Self.outcome
        case .response: field.path == LifeCycleStep.state && field.isReviewed
        case .site, .finding, .form: false
        }
    }
}

extension ContestedField {
    private var states: [String] { ([current] + others).compactMap { $0.value?.stringValue } }

    /// Whether a supervisor has said something about the state of an inspection or a filled form.
    fileprivate var isReviewed: Bool {
        let kind: RecordKind = path == LifeCycleStep.state ? .response : .inspection
        return states.contains { state in
            switch LifeCycleStep.status(.string(state), of: kind) {
            case .approved, .returned: true
            case .draft, .submitted, nil: false
            }
        }
    }

    /// Whether the assignment was dropped, and not done.
    fileprivate var isDropped: Bool {
        let states = states.compactMap { Assignment.Status(exactly: $0) }
        return states.contains(.dropped) && !states.contains(.done)
    }
}

/// The questions that a person is asked. No laptop knows its user's roles, so a user who may be a supervisor is asked
/// about the work of others.
public struct OpenQuestions {
    private let store: RecordStore
    private let user: String?
    private var role: SupervisorRole?

    /// - Parameter user: `nil` if no user has signed in: asks all questions.
    public init(of user: String?, in store: RecordStore) {
        self.user = user
        self.store = store
    }

    /// - Returns: the questions of the conflict for this person; `nil` if there are none.
    public mutating func about(_ conflict: RecordConflict) throws -> RecordConflict? {
        guard let user else { return conflict }
        switch conflict.kind {
        case .inspection, .response:
            if conflict.ofSupervisors == nil { return conflict }
            return try !conflict.isWork(of: user) && role(of: user) != .unlikely ? conflict : conflict.ofEverybody
        case .assignment:
            if try conflict.isAssigned(by: user) || role(of: user) != .unlikely { return conflict }
            return conflict.isWork(of: user) ? conflict.ofEverybody : nil
        case .site, .finding, .form: return conflict
        }
    }

    /// Looked at once: it reads all records.
    private mutating func role(of user: String) throws -> SupervisorRole {
        let known = try role ?? store.supervisorRole(of: user)
        role = known
        return known
    }
}

extension Conflicts {
    /// The questions that a person is asked about a record; `nil` if there are none, or no such record.
    ///
    /// - Parameter user: `nil` if no user has signed in: all questions.
    public func conflict(of kind: RecordKind, _ id: String, for user: String?) throws -> RecordConflict? {
        var questions = OpenQuestions(of: user, in: store)
        return try conflict(of: kind, id).flatMap { try questions.about($0) }
    }

    /// Whether a decision about an assignment changes more than gateways take from a user who is no supervisor.
    public func changesAssigned(
        _ conflict: RecordConflict, choices: [FieldPath: JSONValue], by user: String
    ) throws -> Bool {
        let known = try gatewayBody(of: .assignment, conflict.id) ?? conflict.object
        return conflict.kind == .assignment && conflict.changesAssigned(choices, over: known, by: user)
    }
}

extension RecordConflict {
    /// The person who assigned it decides about its content. Its inspector may only set it to done, or to open again unless
    /// it was dropped.
    ///
    /// - Parameter known: the assignment as the gateway has it: a value that stays so is no change, and the supervisors'
    ///   questions there remain theirs.
    func changesAssigned(_ choices: [FieldPath: JSONValue], over known: JSONObject, by user: String) -> Bool {
        if known["createdBy"]?.stringValue.isExactly(user) == true { return false }
        let asked = RecordConflict(.assignment, id: id, object: known)?.ofSupervisors?.fields ?? []
        return choices.contains { path, value in
            if asked.contains(where: { $0.path == path }) { return true }
            let before = path.read(known)
            if ValueOrder.isSame(ValueOrder.present(value), and: before) { return false }
            guard isWork(of: user) else { return true }
            return path == Self.status ? !Self.isReport(value, over: before) : path != Self.outcome
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
        value?.stringValue.flatMap { Assignment.Status(exactly: $0) }
    }
}

extension RecordConflict {
    /// Whether the user is the inspector, or its creator if it names no inspector.
    public func isWork(of user: String) -> Bool {
        worker.isExactly(user)
    }

    /// The inspector, or else the creator; `nil` if it names neither.
    public var worker: String? { RecordOwners(of: kind, object).worker }

    /// The creator of the record, who is the person that gave out an assignment.
    public var creator: String? { object["createdBy"]?.stringValue }

    /// Whether the user has given out this assignment.
    public func isAssigned(by user: String) -> Bool { kind == .assignment && creator.isExactly(user) }
}
