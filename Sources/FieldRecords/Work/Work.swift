import DocumentStore
import DocumentValues
import FieldModels

/// The tasks of one person, or of all.
public struct Work: RecordService {
    let store: RecordStore
    let lifeCycle: InspectionLifeCycle
    let outbox: Outbox
    let receivedChanges: ReceivedChanges
    let deletions: Deletions

    /// - Parameter conflicts: how many records have something to decide.
    public func today(of user: String?, on today: CalendarDay, conflicts: Int) throws -> TodaysWork {
        let assignments = try assignments.all().records
        var work = TodaysWork(
            assignments: assignments, inspections: try inspectionsOfWork(of: user, on: today, assignments), user: user,
            today: today, refused: try outbox.unsettled().count, conflicts: conflicts)
        work.add(try unfinishedForms(), of: user)
        work.siteless = try siteless(among: work.returned + work.drafts + work.submitted)
        work.changedApprovals = try lifeCycle.changedApprovals()
        work.changedByOthers = try receivedChanges.unread(of: user, on: today)
        work.deletedByOthers = try deletions.unseen(of: user, on: today)
        work.quarantined = try database.quarantinedDocumentCount()
        return work
    }

    /// The inspections that the day's work depends on: those that are not approved; the others of assignments that others
    /// have closed; and, if an inspection may wait for the user's approval, those that show whether the user is a
    /// supervisor.
    private func inspectionsOfWork(
        of user: String?, on today: CalendarDay, _ assignments: [Assignment]
    ) throws -> [Inspection] {
        var found = try inspections.all(where: .unapproved)
        guard let user else { return found }
        var known = Set(found.map { Name($0.id) })
        for assignment in assignments where assignment.isClosed(byOthersThan: user, today: today) {
            guard let id = assignment.inspection, known.insert(Name(id)).inserted else { continue }
            if let inspection = try inspections.findReadable(id) { found.append(inspection) }
        }
        guard found.contains(where: { $0.status == .submitted && !$0.isWork(of: user) }) else { return found }
        return found + (try inspections.all(where: .touched(by: user))).filter { !known.contains(Name($0.id)) }
    }

    private func unfinishedForms() throws -> [Response] {
        // The index has also those without a state.
        try responses.all(where: .unfinished).filter(\.state.isOpen)
    }

    /// Inspections that are still being worked on, and whose site is not here any more.
    ///
    /// - Parameter user: the user whose work it is; `nil` if no user has signed in: that of all users.
    public func siteless(of user: String?) throws -> [Inspection] {
        let work = TodaysWork(
            assignments: [], inspections: try inspections.all(where: .unapproved), user: user,
            today: CalendarDay(daysSince1970: 0))
        return try siteless(among: work.returned + work.drafts)
    }

    private func siteless(among inspections: [Inspection]) throws -> [Inspection] {
        try inspections.filter { try !isThere(.site, id: $0.site) }
    }
}
