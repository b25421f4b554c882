import DocumentStore
import DocumentValues
import FieldModels

/// The tasks of one person on one day.
public struct TodaysWork: Sendable, Hashable {
    /// Open assignments whose day has passed, those that wait longest first.
    public var overdue: [Assignment] = []
    /// Open assignments of the day itself.
    public var due: [Assignment] = []
    /// Open assignments of the days to come, within two weeks.
    public var coming: [Assignment] = []
    /// Inspections that a reviewer has sent back.
    public var returned: [Inspection] = []
    public var drafts: [Inspection] = []
    /// Filled forms that were not finalised yet, those that were saved last at the beginning.
    public var begunForms: [Response] = []
    /// Filled forms that a reviewer has sent back.
    public var returnedForms: [Response] = []
    /// Those of both whose site is not here any more, and of those that wait for an approval.
    public var siteless: [Inspection] = []
    /// Approved inspections, of all inspectors, whose findings have changed since.
    public var changedApprovals: [ApprovalChanges] = []
    /// Inspections of others that wait for an approval, the oldest first: for a user who approves, or who has no work of
    /// their own here.
    public var submitted: [Inspection] = []
    /// Assignments that a user closed who is not their inspector, and whose inspection is not here or not handed in: for
    /// their inspector, and for the person who assigned them.
    public var closedByOthers: [Assignment] = []
    /// Changes by others in the user's own records that the user has not looked at yet.
    public var changedByOthers: [ChangesByOthers] = []
    /// The user's own records that others have deleted, and that no list has shown yet.
    public var deletedByOthers: [DeletedRecord] = []
    public private(set) var begun = BegunInspections()
    /// Refused records that the user has not settled yet.
    public var refused = 0
    /// Edits that were never sent, and whose records were taken away.
    public var quarantined = 0
    /// Records about which something is to be decided.
    public var conflicts = 0
    /// Records that are only on this laptop, or only here as they are, and that nothing sends by itself.
    public var unsent = 0

    public init() {}

    /// - Parameter user: the user whose work it is; `nil` if no user has signed in: that of all users.
    public init(
        assignments: [Assignment], inspections: [Inspection], user: String?, today: CalendarDay, refused: Int = 0,
        conflicts: Int = 0
    ) {
        let open = assignments.filter { assignment in
            assignment.status == .open && user.map { assignment.inspector.isExactly($0) } ?? true
        }
        .sorted { ($0.due, Name($0.id)) < ($1.due, Name($1.id)) }
        overdue = open.filter { $0.due < today }
        due = open.filter { $0.due == today }
        coming = open.filter { $0.due > today && $0.due <= today.adding(days: FieldRecordsLimits.daysToCome) }
        let handedIn = Set(inspections.filter { !$0.status.isOpen }.map { Name($0.id) })
        closedByOthers = assignments.filter { assignment in
            guard let user, assignment.isClosed(byOthersThan: user, today: today) else { return false }
            return assignment.inspection.map { !handedIn.contains(Name($0)) } ?? true
        }
        .sorted { ($0.due, Name($0.id)) < ($1.due, Name($1.id)) }
        let own = inspections.filter { $0.isToBeDone(by: user) }
            .sorted { ($1.date, Name($1.id)) < ($0.date, Name($0.id)) }
        returned = own.filter { $0.status == .returned }
        drafts = own.filter { $0.status == .draft }
        begun = BegunInspections(inspections, user: user)
        if let user, SupervisorRole(of: user, assignments: assignments, inspections: inspections) != .unlikely {
            submitted = inspections.filter { $0.status == .submitted && !$0.isWork(of: user) }
                .sorted { ($0.date, Name($0.id)) < ($1.date, Name($1.id)) }
        }
        self.refused = refused
        self.conflicts = conflicts
    }

    /// Sorts the filled forms that are not finished.
    mutating func add(_ responses: [Response], of user: String?) {
        let own = responses.filter { response in
            guard let user, let creator = response.envelope.createdBy else { return true }
            return creator.isExactly(user)
        }
        .sorted { ($1.saved, Name($1.id)) < ($0.saved, Name($0.id)) }
        begunForms = own.filter { $0.state == .draft }
        returnedForms = own.filter { $0.state == .hasIssues || $0.state == .rejected }
    }

    /// `3 due today, 2 overdue, 2 drafts, 1 begun form, 1 returned, 1 refused, 3 in quarantine, 4 not sent`; `nil` if there
    /// are no tasks.
    public var line: String? {
        func count(_ number: Int, one: String, many: String? = nil) -> String? {
            number == 0 ? nil : "\(number) \(number == 1 ? one : many ?? one)"
        }
        let parts = [
            count(due.count, one: "due today"), count(overdue.count, one: "overdue"),
            count(coming.count, one: "coming"),
            count(drafts.count, one: "draft", many: "drafts"),
            count(begunForms.count, one: "begun form", many: "begun forms"),
            count(returned.count + returnedForms.count, one: "returned"),
            count(submitted.count, one: "not approved yet"),
            count(closedByOthers.count, one: "closed by others"),
            count(changedByOthers.count, one: "changed by others"),
            count(deletedByOthers.count, one: "deleted by others"),
            count(siteless.count, one: "without its site", many: "without their site"),
            count(changedApprovals.count, one: "changed after its approval", many: "changed after their approval"),
            count(refused, one: "refused"), count(quarantined, one: "in quarantine"),
            count(conflicts, one: "conflict", many: "conflicts"), count(unsent, one: "not sent"),
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Response {
    fileprivate var saved: Int64 { (endedAt ?? envelope.changedAt)?.secondsSince1970 ?? 0 }
}

extension Assignment {
    /// Whether it is the user's, and a third person has closed it, as far as it names that person. Assignments of long
    /// ago are settled.
    func isClosed(byOthersThan user: String, today: CalendarDay) -> Bool {
        guard status == .done, due >= today.adding(days: -FieldRecordsLimits.daysOfClosedWork),
            let closer = envelope.changedBy
        else { return false }
        let people = [inspector, envelope.createdBy ?? inspector]
        return people.containsExactly(user) && !people.containsExactly(closer)
    }

    /// `overdue`, `today`, or `nil` if it is not open or not due yet.
    public func urgency(on today: CalendarDay) -> String? {
        guard status == .open, due <= today else { return nil }
        return due < today ? "overdue" : "today"
    }
}
