import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FieldSync

/// The day's work, and beginning with it.
extension CommandRunner {
    func todaysWork() throws -> RecordGroups {
        let work = try session.todaysWork()
        var groups = try TodayBuilder(
            field: session.field(), name: session.recordPlaceholder, clock: session.environment.clock
        ).groups(work) { try session.notes(onSiteless: $0) }
        try see(returned: work.returned)
        groups.notes += session.recoverUnfinishedTexts()
        session.number(LastList(groups.references))
        return try session.markingConflicts(in: groups)
    }

    /// The list has said that they are returned, and why: who goes on with one of them knows that.
    private func see(returned inspections: [Inspection]) throws {
        let field = try session.field()
        for inspection in inspections {
            let reference = RecordReference(.inspection, id: inspection.id)
            guard let known = session.seen[reference] else { continue }
            let present = try RecordSnapshot(of: reference, in: field)
            if let seen = known.seeing(returned: present) { session.seen[reference] = seen }
        }
    }

    /// A draft of what an assignment asks for; or the one that was begun before.
    func start(_ text: String) throws -> Done {
        let field = try session.field()
        let reference = try RecordFinder(session: session).find(text, among: [.assignment])
        guard let assignment = try field.assignments.find(reference.id) else {
            throw RecordActionError(.notFound, kind: .assignment, id: reference.id)
        }
        let user = try session.settings().user
        if let begun = try field.begunInspections(for: user)[assignment: assignment.id] {
            let id = RecordReference.short(begun.id, kind: .inspection)
            try checkIsNotDone(assignment, besides: begun)
            if user.map({ begun.isWork(of: $0) }) ?? true {
                session.dialogue.show("This assignment was begun before: draft \(id).")
                showInstructions(of: assignment)
                return try edit(begun.id, values: [])
            }
            let who = (begun.inspector ?? begun.envelope.createdBy ?? "Somebody else").printableLine
            guard try session.consents(to: "\(who) has begun it: draft \(id). Start one of your own?") else {
                throw UsageError("Nothing was started.", hint: "Go on with that one: edit \(id)")
            }
        }
        guard assignment.status == .open else {
            throw UsageError("This assignment is \(assignment.status.rawValue).", hint: "See it with: show \(text)")
        }
        try checkHasSite(assignment)
        if let made = try field.inspections(ofAssignment: assignment.id).first(where: { !$0.status.isOpen }) {
            let id = RecordReference.short(made.id, kind: .inspection)
            let who = made.envelope.createdBy?.printableLine ?? "Somebody"
            let done = "\(who) has made the inspection \(id) of it already (\(made.status.rawValue))."
            guard try session.consents(to: "\(done) Start another one?") else {
                let isOwn = user.map { assignment.inspector.isExactly($0) } ?? true
                let close = isOwn ? ". The assignment is done then: edit \(reference.shortID) status=done" : ""
                throw UsageError("Nothing was started.", hint: "See what is there: show \(id)\(close)")
            }
        }
        if let user, !assignment.inspector.isExactly(user) {
            session.dialogue.show(
                "It is assigned to \(assignment.inspector): what you hand in does not close it.".printable)
        }
        showInstructions(of: assignment)
        var request = NewRequest(.inspection)
        request.form = assignment.form
        request.assignment = assignment.id
        return try newInspection(request, at: site(of: assignment))
    }

    /// Of what two laptops have begun one inspection was handed in: the other one is a draft that nobody needs.
    private func checkIsNotDone(_ assignment: Assignment, besides draft: Inspection) throws {
        guard assignment.status == .done, let done = assignment.inspection, !done.isExactly(draft.id),
            try session.field().inspections.findReadable(done)?.status.isOpen != true
        else { return }
        let made = RecordReference.short(done, kind: .inspection).printableLine
        let id = RecordReference.short(draft.id, kind: .inspection)
        throw UsageError(
            "This assignment is done, by the inspection \(made). The draft \(id) was begun for it, too.",
            hint: "Throw it away: delete \(id). Go on with it all the same: edit \(id)")
    }

    /// Lists cut them: who begins reads all of them.
    private func showInstructions(of assignment: Assignment) {
        guard let instructions = assignment.instructions, !instructions.isEmpty else { return }
        session.dialogue.show("Instructions: \(instructions)".printable)
    }

    /// Of a site that cannot be read the assignment says what an inspection needs.
    private func site(of assignment: Assignment) throws -> Site {
        let short = RecordReference.short(assignment.site, kind: .site)
        return try session.field().sites.findReadable(assignment.site)
            ?? Site(
                id: assignment.site, name: short, address: Address(), district: assignment.district ?? .unknown)
    }

    private func checkHasSite(_ assignment: Assignment) throws {
        let field = try session.field()
        guard try !field.isThere(.site, id: assignment.site) else { return }
        let short = RecordReference.short(assignment.site, kind: .site)
        let deleted = try field.deletedRecords().first { $0.kind == .site && $0.id.isExactly(assignment.site) }
        guard let deleted else {
            throw UsageError("The site of this assignment, \(short), is not on this laptop.", hint: "Sync first: sync")
        }
        throw UsageError(
            "The site of this assignment, \(deleted.title), was deleted\(deleted.isOwn ? " here" : " by others").",
            hint: "Bring it back: undo \(short). Or inspect another: new inspection SITE")
    }
}

/// For the greeting of a shell: `Today: 3 due today, 2 overdue, …`.
extension ShellSession {
    /// `nil` where nothing is to be done.
    func todaysLine() throws -> String? {
        try todaysWork().line.map { "Today: \($0). See it with: today" }
    }

    func todaysWork() throws -> TodaysWork {
        var work = try field().todaysWork(
            of: settings().user, on: environment.today(), conflicts: conflicts().count)
        work.unsent = try unsentByHand()
        return work
    }

    /// Records that go when somebody types `sync`, and not before. A service sends by itself, and the prompt says when it
    /// cannot.
    private func unsentByHand() throws -> Int {
        if case .running = try syncStatus().service { return 0 }
        return try WaitingRecords(field: field(), settings: settings()).unsent()
    }
}

/// Lays out the day's work.
private struct TodayBuilder {
    let field: FieldDatabase
    /// What a record is named by in the next command: `NUMBER` or `ID`.
    let name: String
    let clock: LocalClock

    /// - Parameter more: notes on inspections without their site.
    func groups(_ work: TodaysWork, more: ([Inspection]) throws -> [String]) throws -> RecordGroups {
        var groups = RecordGroups(empty: "Nothing is due, and nothing waits for you.")
        let names = try SiteNames(field)
        try addAssignments(of: work, names: names, to: &groups)
        addOwnWork(of: work, names: names, to: &groups)
        try addNews(of: work, names: names, to: &groups)
        addApprovals(of: work, names: names, to: &groups)
        groups.notes += beginnings(work) + newsNotes(work)
        groups.notes += try more(work.siteless)
        groups.notes += approvalNotes(work) + Self.waitingNotes(work)
        return groups
    }

    // MARK: - Groups

    private func addAssignments(of work: TodaysWork, names: SiteNames, to groups: inout RecordGroups) throws {
        let forms = try FormNames(field)
        for (title, assignments) in [("Overdue", work.overdue), ("Due today", work.due), ("Coming", work.coming)] {
            groups.add(
                title, columns: Self.assignmentColumns,
                rows: assignments.map { row($0, names: names, forms: forms, begun: work.begun[assignment: $0.id]) })
        }
        groups.add(
            "Closed by others, without an inspection here", columns: Self.assignmentColumns,
            rows: work.closedByOthers.map { row($0, names: names, forms: forms, closed: $0.envelope.changedBy) })
    }

    private func addOwnWork(of work: TodaysWork, names: SiteNames, to groups: inout RecordGroups) {
        groups.add(
            "Returned to you", columns: ["ID", "DATE", "SITE", "WHY"],
            rows: work.returned.map { row($0, names: names, last: $0.review ?? "") })
        groups.add(
            "Drafts", columns: ["ID", "DATE", "SITE", "VISIT"],
            rows: work.drafts.map { row($0, names: names, last: $0.visitLabel ?? "") })
    }

    private func addNews(of work: TodaysWork, names: SiteNames, to groups: inout RecordGroups) throws {
        let changed = ChangedRows(field: field, names: names)
        groups.add(
            ChangedRows.title, columns: ChangedRows.columns,
            rows: try work.changedByOthers.prefix(ShellLimits.newsOfTheDay).map(changed.row))
        groups.add(
            "Yours, deleted by others", columns: ["ID", "RECORD", "SINCE"],
            rows: work.deletedByOthers.prefix(ShellLimits.newsOfTheDay).map { row($0) })
    }

    private func addApprovals(of work: TodaysWork, names: SiteNames, to groups: inout RecordGroups) {
        groups.add(
            "Changed after the approval", columns: ["ID", "DATE", "SITE", "WHAT"],
            rows: work.changedApprovals.map { row($0.inspection, names: names, last: $0.counts) })
        groups.add(
            "Submitted, not approved yet", columns: ["ID", "DATE", "SITE", "INSPECTOR"],
            rows: work.submitted.map { row($0, names: names, last: Self.inspector(of: $0)) })
    }

    // MARK: - Notes

    /// What to begin, and to go on with.
    private func beginnings(_ work: TodaysWork) -> [String] {
        var notes: [String] = []
        if (work.overdue + work.due + work.coming).contains(where: { work.begun[assignment: $0.id] == nil }) {
            notes.append("Begin with one: start \(name)")
        }
        let begun = [work.drafts.isEmpty ? nil : "a draft", work.returned.isEmpty ? nil : "what was returned"]
            .compactMap(\.self)
        if !begun.isEmpty { notes.append("Go on with \(begun.joined(separator: ", or ")): edit \(name)") }
        return notes
    }

    /// What others have done.
    private func newsNotes(_ work: TodaysWork) -> [String] {
        var notes: [String] = []
        if !work.closedByOthers.isEmpty {
            notes.append("Ask who has closed it. If it is still to be done, open it again: edit \(name) status=open")
        }
        if !work.changedByOthers.isEmpty {
            notes.append(
                "See what others have changed, and what it was before: log \(name). "
                    + Self.more(work.changedByOthers.count, in: "list --changed"))
        }
        if !work.deletedByOthers.isEmpty {
            notes.append(
                "See what was deleted: show \(name). Bring it back: undo \(name). "
                    + Self.more(work.deletedByOthers.count, in: "list --deleted"))
        }
        return notes
    }

    private func approvalNotes(_ work: TodaysWork) -> [String] {
        var notes: [String] = []
        if !work.submitted.isEmpty {
            notes.append(
                "A supervisor accepts what was submitted, or sends it back: approve \(name), or return \(name) REASON")
        }
        if !work.changedApprovals.isEmpty { notes.append("See what: show \(name). " + ApprovalText.advice(name)) }
        return notes
    }

    /// What other lists have.
    private static func waitingNotes(_ work: TodaysWork) -> [String] {
        var notes: [String] = []
        if work.refused > 0 { notes.append("The gateway refused \(work.refused.of("record")): outbox") }
        if work.quarantined > 0 {
            notes.append("\(work.quarantined.of("edit")) of yours in quarantine: quarantine")
        }
        if work.conflicts > 0 {
            notes.append("\(work.conflicts.of("record")) with something to decide: conflicts")
        }
        if work.unsent > 0 { notes.append("\(work.unsent.of("record")) here the gateway does not have yet: sync") }
        return notes
    }

    /// Of news that nobody has looked at the day's work shows some: what is to be done is not to be looked for behind them.
    private static func more(_ count: Int, in list: String) -> String {
        let rest = count - ShellLimits.newsOfTheDay
        return rest > 0 ? "There \(rest == 1 ? "is" : "are") \(rest.grouped) more: \(list)" : "All of it: \(list)"
    }

    /// Who made a record is what the gateway vouches for; as its inspector anybody may be named.
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
        _ assignment: Assignment, names: SiteNames, forms: FormNames, begun: Inspection? = nil,
        closed closer: String? = nil
    ) -> Listing.Row {
        let mark =
            begun.map { "begun: \(RecordReference.short($0.id, kind: .inspection))" }
            ?? closer.map { "closed by \($0)" }
        return Listing.Row(
            reference: RecordReference(.assignment, id: assignment.id),
            cells: [
                RecordReference.short(assignment.id, kind: .assignment), assignment.due.description,
                names[assignment.site], [mark, forms.what(assignment)].compactMap(\.self).joined(separator: "; "),
            ], object: assignment.identifiedObject)
    }

    private func row(_ deleted: DeletedRecord) -> Listing.Row {
        Listing.Row(
            reference: deleted.reference,
            cells: [
                deleted.reference.shortID, "\(deleted.kind.rawValue) \(deleted.title)", clock.text(deleted.moment),
            ], object: deleted.object)
    }

    private func row(_ inspection: Inspection, names: SiteNames, last: String) -> Listing.Row {
        Listing.Row(
            reference: RecordReference(.inspection, id: inspection.id),
            cells: [
                RecordReference.short(inspection.id, kind: .inspection), inspection.date.description,
                names[inspection.site], last,
            ], object: inspection.identifiedObject)
    }
}

/// The names of sites by their ids.
struct SiteNames {
    private let present: [Name: String]
    private let deleted: [Name: String]

    init(_ field: FieldDatabase) throws {
        present = try field.siteNames()
        deleted = try SiteName.deleted(field)
    }

    /// The id where the site is not here.
    subscript(id: String) -> String { present[Name(id)]?.asTitle ?? deleted[Name(id)] ?? id.asTitle }
}

/// The names of forms by their ids.
struct FormNames {
    private let names: [Name: String]

    init(_ field: FieldDatabase) throws {
        let present = try field.forms.all().records.map { (Name($0.id), $0.title) }
        // One that was withdrawn may still be assigned.
        let withdrawn = try field.deletedRecords().filter { $0.kind == .form }.map { (Name($0.id), $0.title) }
        names = Dictionary(present + withdrawn, uniquingKeysWith: { first, _ in first })
    }

    /// What is to be done: the instructions, or else the form that is to be filled in.
    func what(_ assignment: Assignment) -> String? {
        assignment.instructions
            ?? assignment.form.map { "form \(names[Name($0)] ?? RecordReference.short($0, kind: .form).asTitle)" }
    }
}
