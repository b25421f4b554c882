import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Lays out the day's work in groups, each with its rows.
struct TodayLayout {
    private let work: TodaysWork
    private let field: FieldDatabase
    private let sites: SiteNames
    private let clock: LocalClock
    private let notes: TodayNotes

    /// - Parameter name: the placeholder for a record in the next command: `NUMBER` or `ID`.
    init(of work: TodaysWork, in field: FieldDatabase, name: String, clock: LocalClock) throws {
        self.work = work
        self.field = field
        self.clock = clock
        sites = try SiteNames(field)
        notes = TodayNotes(work: work, name: name)
    }

    /// - Parameter siteless: notes on inspections without their site.
    func groups(siteless: () throws -> [String]) throws -> RecordGroups {
        var groups = RecordGroups(empty: "Nothing is due, and nothing waits for you.")
        try addAssignments(to: &groups)
        addOwnWork(to: &groups)
        try addNews(to: &groups)
        addApprovals(to: &groups)
        groups.notes += notes.beginnings + notes.news
        groups.notes += try siteless()
        groups.notes += notes.approvals + notes.elsewhere
        return groups
    }

    private func addAssignments(to groups: inout RecordGroups) throws {
        let forms = try FormNames(field)
        for (title, assignments) in [("Overdue", work.overdue), ("Due today", work.due), ("Coming", work.coming)] {
            groups.add(
                title, columns: Self.assignmentColumns,
                rows: assignments.map { row($0, forms: forms, begun: work.begun[assignment: $0.id]) })
        }
        groups.add(
            "Closed by others, without an inspection here", columns: Self.assignmentColumns,
            rows: work.closedByOthers.map { row($0, forms: forms, closed: $0.envelope.changedBy) })
    }

    private func addOwnWork(to groups: inout RecordGroups) {
        groups.add(
            "Returned to you", columns: ["ID", "DATE", "SITE", "WHY"],
            rows: work.returned.map { row($0, last: $0.review ?? "") })
        groups.add(
            "Drafts", columns: ["ID", "DATE", "SITE", "VISIT"],
            rows: work.drafts.map { row($0, last: $0.visitLabel ?? "") })
        let columns = ["ID", "SAVED", "NAME", "FORM"]
        groups.add("Filled forms, returned to you", columns: columns, rows: work.returnedForms.map { row($0) })
        groups.add("Begun forms", columns: columns, rows: work.begunForms.map { row($0) })
    }

    private func addNews(to groups: inout RecordGroups) throws {
        let changed = ChangedRows(field: field) { sites[$0] }
        groups.add(
            ChangedRows.title, columns: ChangedRows.columns,
            rows: try work.changedByOthers.prefix(ShellLimits.newsOfTheDay).map(changed.row))
        groups.add(
            "Yours, deleted by others", columns: ["ID", "RECORD", "SINCE"],
            rows: work.deletedByOthers.prefix(ShellLimits.newsOfTheDay).map { row($0) })
    }

    private func addApprovals(to groups: inout RecordGroups) {
        groups.add(
            "Changed after the approval", columns: ["ID", "DATE", "SITE", "WHAT"],
            rows: work.changedApprovals.map { row($0.inspection, last: $0.counts) })
        groups.add(
            "Submitted, not approved yet", columns: ["ID", "DATE", "SITE", "INSPECTOR"],
            rows: work.submitted.map { row($0, last: Self.inspector(of: $0)) })
    }

    /// The gateway checks the creator of a record; any user may be named as its inspector.
    private static func inspector(of inspection: Inspection) -> String {
        guard let name = inspection.inspector else { return inspection.envelope.createdBy ?? "" }
        guard let creator = inspection.envelope.createdBy, !creator.isExactly(name) else { return name }
        return "\(name), made by \(creator)"
    }

    private static let assignmentColumns = ["ID", "DUE", "SITE", "WHAT"]

    /// - Parameters:
    ///   - begun: the inspection that was begun for it.
    ///   - closer: who has closed it.
    private func row(
        _ assignment: Assignment, forms: FormNames, begun: Inspection? = nil,
        closed closer: String? = nil
    ) -> Listing.Row {
        let mark =
            begun.map { "begun: \(RecordReference.short($0.id, kind: .inspection))" }
            ?? closer.map { "closed by \($0)" }
        return Listing.Row(
            reference: RecordReference(.assignment, id: assignment.id),
            cells: [
                RecordReference.short(assignment.id, kind: .assignment), assignment.due.description,
                sites[assignment.site], [mark, forms.what(assignment)].compactMap(\.self).joined(separator: "; "),
            ], object: assignment.identifiedObject)
    }

    private func row(_ deleted: DeletedRecord) -> Listing.Row {
        Listing.Row(
            reference: deleted.reference,
            cells: [
                deleted.reference.shortID, "\(deleted.kind.rawValue) \(deleted.title)", clock.text(deleted.moment),
            ], object: deleted.object)
    }

    private func row(_ response: Response) -> Listing.Row {
        Listing.Row(
            reference: RecordReference(.response, id: response.id),
            cells: [
                RecordReference.short(response.id, kind: .response), response.endedAt.map(clock.text) ?? "",
                response.instanceName ?? "", response.form,
            ], object: response.identifiedObject)
    }

    private func row(_ inspection: Inspection, last: String) -> Listing.Row {
        Listing.Row(
            reference: RecordReference(.inspection, id: inspection.id),
            cells: [
                RecordReference.short(inspection.id, kind: .inspection), inspection.date.description,
                sites[inspection.site], last,
            ], object: inspection.identifiedObject)
    }
}
