import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Begins the inspection or the form of an assignment, or goes on with one that was begun.
struct StartCommand {
    let session: ShellSession

    /// Makes a draft for the assignment, or continues the one that was begun before.
    func run(_ text: String) throws -> Done {
        let field = try session.field()
        let reference = try RecordFinder(session: session).find(text, among: [.assignment])
        guard let assignment = try field.assignments.find(reference.id) else {
            throw RecordActionError(.notFound, kind: .assignment, id: reference.id)
        }
        let user = try session.settings().user
        if let form = try assignment.form.flatMap({ try field.formDocuments.findReadable($0) }) {
            return try AssignedForm(session: session, assignment: assignment).start(form.form)
        }
        if let begun = try field.work.begunInspections(for: user)[assignment: assignment.id],
            let done = try goOn(with: begun, of: assignment, user: user)
        {
            return done
        }
        guard assignment.status == .open else {
            throw UsageError("This assignment is \(assignment.status.rawValue).", hint: "See it with: show \(text)")
        }
        try checkHasSite(assignment)
        try checkIsToBeDone(assignment, by: user)
        if let user, !assignment.inspector.isExactly(user) {
            session.dialogue.show(
                "It is assigned to \(assignment.inspector): what you hand in does not close it.".printable)
        }
        showInstructions(of: assignment)
        var request = NewRequest(.inspection)
        request.form = assignment.form
        request.assignment = assignment.id
        return try NewInspection(session: session).make(request, at: site(of: assignment))
    }

    /// - Returns: `nil` if it is another user's, and the user starts a new one.
    private func goOn(with begun: Inspection, of assignment: Assignment, user: String?) throws -> Done? {
        let id = RecordReference.short(begun.id, kind: .inspection)
        try checkIsNotDone(assignment, besides: begun)
        if user.map({ begun.isWork(of: $0) }) ?? true {
            session.dialogue.show("This assignment was begun before: draft \(id).")
            showInstructions(of: assignment)
            return try EditCommand(session: session).run(begun.id, values: [])
        }
        let who = (begun.inspector ?? begun.envelope.createdBy ?? "Somebody else").printableLine
        guard try session.consents(to: "\(who) has begun it: draft \(id). Start one of your own?") else {
            throw UsageError("Nothing was started.", hint: "Go on with that one: edit \(id)")
        }
        return nil
    }

    /// An inspection of it may be handed in already.
    private func checkIsToBeDone(_ assignment: Assignment, by user: String?) throws {
        let inspections = try session.field().listing.inspections(ofAssignment: assignment.id)
        guard let made = inspections.first(where: { !$0.status.isOpen }) else { return }
        let id = RecordReference.short(made.id, kind: .inspection)
        let who = made.envelope.createdBy?.printableLine ?? "Somebody"
        let done = "\(who) has made the inspection \(id) of it already (\(made.status.rawValue))."
        guard try !session.consents(to: "\(done) Start another one?") else { return }
        let isOwn = user.map { assignment.inspector.isExactly($0) } ?? true
        let short = RecordReference.short(assignment.id, kind: .assignment)
        let close = isOwn ? ". The assignment is done then: edit \(short) status=done" : ""
        throw UsageError("Nothing was started.", hint: "See what is there: show \(id)\(close)")
    }

    /// Two laptops have begun inspections, and one was handed in: the other one is a draft that is not needed.
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
    func showInstructions(of assignment: Assignment) {
        guard let instructions = assignment.instructions, !instructions.isEmpty else { return }
        session.dialogue.show("Instructions: \(instructions)".printable)
    }

    /// If the site cannot be read, the assignment has the values that an inspection needs.
    func site(of assignment: Assignment) throws -> Site {
        let short = RecordReference.short(assignment.site, kind: .site)
        return try session.field().sites.findReadable(assignment.site)
            ?? Site(
                id: assignment.site, name: short, address: Address(), district: assignment.district ?? .unknown)
    }

    func checkHasSite(_ assignment: Assignment) throws {
        let field = try session.field()
        guard try !field.store.isThere(.site, id: assignment.site) else { return }
        let short = RecordReference.short(assignment.site, kind: .site)
        let deleted = try field.deletions.all().first { $0.kind == .site && $0.id.isExactly(assignment.site) }
        guard let deleted else {
            throw UsageError("The site of this assignment, \(short), is not on this laptop.", hint: "Sync first: sync")
        }
        throw UsageError(
            "The site of this assignment, \(deleted.title), was deleted\(deleted.isOwn ? " here" : " by others").",
            hint: "Bring it back: undo \(short). Or inspect another: new inspection SITE")
    }
}
