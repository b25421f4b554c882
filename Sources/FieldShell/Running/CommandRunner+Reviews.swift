import DocumentValues
import FieldModels
import FieldRecords

/// Submitting inspections, approving and returning them.
extension CommandRunner {
    func submit(_ text: String) throws -> Done {
        let reference = try finder.find(text, among: [.inspection])
        return try step("Submit", with: reference) {
            try session.field().checkSubmission(reference.id)
            try checkVisit(reference)
            return try workOfOthersRefused(reference)
                ?? repeatedWorkRefused(reference)
                ?? stepRefused(reference, question: "Submit it all the same?") ?? datedAheadRefused(reference)
        } make: { field in
            let leftOut = try closedAnswers(of: reference.id, in: field)
            let inspection = try field.submit(reference.id, by: session.author())
            let missing = try MissingSite(of: inspection, in: field).map { " \($0.sentence)" }
            let assignment = try assignmentLeftOpen(inspection).map { " \($0)" }
            // What is handed in only a supervisor gives back: the person sees that it is the right one.
            let title = try TitleWithSite(field).title(reference).printableLine
            return Done(
                "Submitted \(reference.shortID), \(title)\(leftOut).\(missing ?? "")\(assignment ?? "")",
                object: inspection.identifiedObject)
        }
    }

    /// A draft that was stopped before its visit was asked for does not go as a routine one.
    private func checkVisit(_ reference: RecordReference) throws {
        guard try session.field().inspections.find(reference.id)?.isVisitOpen == true else { return }
        throw UsageError(
            "Not submitted yet. Still to answer: Visit.", hint: "Answer it: edit \(reference.shortID) visit=routine")
    }

    /// A slip of an id hands in a colleague's draft, and the colleague cannot go on with it.
    private func workOfOthersRefused(_ reference: RecordReference) throws -> Done? {
        guard let inspection = try session.field().inspections.find(reference.id) else { return nil }
        return try isLeftAlone(inspection, asking: "Submit") ? Done("Nothing was changed.", object: [:]) : nil
    }

    /// Of two laptops that have both begun an assignment one has closed it: one inspection is enough.
    private func repeatedWorkRefused(_ reference: RecordReference) throws -> Done? {
        let field = try session.field()
        guard let id = try field.inspections.find(reference.id)?.assignment,
            let assignment = try field.assignments.findReadable(id), assignment.status == .done,
            let other = assignment.inspection, !other.isExactly(reference.id)
        else { return nil }
        let name = RecordReference.short(id, kind: .assignment).printableLine
        let done = RecordReference.short(other, kind: .inspection).printableLine
        let question = "Its assignment \(name) is done already, by the inspection \(done). Submit this one, too?"
        guard try !session.consents(to: question) else { return nil }
        return Done("Nothing was changed. See the other one: show \(done)", object: [:])
    }

    /// Whether an inspection of somebody else is to stay as it is, once the person at the terminal knows whose it is. Scripts
    /// say what they mean.
    ///
    /// - Parameter verb: what was typed: `Submit`, `Change`.
    func isLeftAlone(_ inspection: Inspection, asking verb: String) throws -> Bool {
        guard session.canAsk, let user = try session.settings().user, !inspection.isWork(of: user),
            inspection.envelope.createdBy?.isExactly(user) != true
        else { return false }
        let owner = (inspection.inspector ?? inspection.envelope.createdBy ?? "somebody else").printableLine
        return try !session.consents(to: "The inspection is \(owner)'s. \(verb) it all the same?")
    }

    /// What a submission takes out: `, without the answers that are not asked any more: Which: mice`; empty where that is
    /// nothing.
    private func closedAnswers(of id: String, in field: FieldDatabase) throws -> String {
        guard let inspection = try field.inspections.find(id) else { return "" }
        let closed = try field.closedAnswers(of: inspection).map { question in
            let answer = (inspection.answers[question.name]?.cell ?? "").cut(to: ShellLimits.answerShown)
            return "\(question.label): \(answer)".printableLine
        }
        let list = closed.joined(separator: ", ")
        return closed.isEmpty ? "" : ", without the answers that are not asked any more: \(list)"
    }

    /// Whom an assignment is for closes it; it may have been given to somebody else meanwhile. What cannot be read nobody
    /// closes.
    private func assignmentLeftOpen(_ inspection: Inspection) throws -> String? {
        guard let id = inspection.assignment else { return nil }
        let field = try session.field()
        let short = RecordReference.short(id, kind: .assignment)
        guard let assignment = try field.assignments.findReadable(id) else {
            guard try field.isThere(.assignment, id: id) else { return nil }
            return "Its assignment \(short.printableLine) cannot be read on this laptop, and stays as it is."
        }
        guard let user = try session.settings().user, assignment.status == .open, !assignment.inspector.isExactly(user)
        else { return nil }
        return "Its assignment \(short) is \(assignment.inspector.printableLine)'s, and stays open."
    }

    func approve(_ text: String) throws -> Done {
        let reference = try finder.find(text, among: [.inspection])
        return try step("Approve", with: reference) {
            try checkMayApprove(reference.id)
            try session.field().checkReview(reference.id, as: .approved)
            return try reviewRefused(question: "Approve it all the same?")
                ?? stepRefused(reference, question: "Approve it all the same?") ?? unansweredRefused(reference)
        } make: { field in
            let isAgain = try field.inspections.find(reference.id)?.status == .approved
            let inspection = try field.approve(reference.id, by: session.author())
            let what = isAgain ? " as it is now" : ""
            return Done("Approved \(reference.shortID)\(what).", object: inspection.identifiedObject)
        }
    }

    /// The gateway lets supervisors alone approve; here it is at least somebody it knows, and not the inspector.
    private func checkMayApprove(_ id: String) throws {
        guard let user = try session.settings().user else {
            throw UsageError("Supervisors approve, and nobody has signed in here.", hint: "Sign in with: login")
        }
        guard let inspection = try session.field().inspections.find(id), inspection.isWork(of: user) else { return }
        throw UsageError("This inspection is your own: somebody else has to approve it.")
    }

    /// The gateway would refuse it, and the inspection would be returned on this laptop alone.
    private func checkMaySendBack(_ id: String) throws {
        guard let user = try session.settings().user, let inspection = try session.field().inspections.find(id),
            inspection.isWork(of: user)
        else { return }
        throw UsageError("This inspection is your own: a supervisor has to return it to you.")
    }

    /// - Parameter reason: `nil` to have it asked for.
    func sendBack(_ text: String, because reason: String?) throws -> Done {
        guard reason != nil || session.canAsk else { throw ReturnReason.isMissing }
        var reason = reason
        let reference = try finder.find(text, among: [.inspection])
        var asked: GivenAnswer?
        var isReturned = false
        defer { if let asked { settle(asked, isSaved: isReturned) } }
        return try step("Return", with: reference) {
            try checkMaySendBack(reference.id)
            try session.field().checkReview(reference.id, as: .returned)
            let refusal =
                try reviewRefused(question: "Return it all the same?") ?? approvalKept(reference)
                ?? stepRefused(
                    reference, question: "Return it all the same?",
                    besides: [RecordConflict.review, RecordConflict.status])
            guard refusal == nil, reason == nil else { return refusal }
            asked = try askedReason()
            reason = asked.flatMap { ReturnReason($0.text)?.text }
            return reason == nil ? Done("Nothing was changed: its inspector needs a reason.", object: [:]) : nil
        } make: { field in
            guard let reason else { throw ReturnReason.isMissing }
            let inspection = try field.sendBack(reference.id, because: reason, by: session.author())
            isReturned = true
            return Done(
                "Returned \(reference.shortID) to \(inspection.inspector ?? "its inspector").",
                object: inspection.identifiedObject)
        }
    }

    private func askedReason() throws -> GivenAnswer? {
        let answer = try session.questions.ask(Inspection.reasonOfReturn, present: nil)
        guard case .value(let given) = answer else { return nil }
        return given
    }

    private func settle(_ asked: GivenAnswer, isSaved: Bool) {
        guard isSaved else { return session.questions.giveBack(asked) }
        asked.written.map(session.dialogue.discard)
    }

    /// No laptop knows its user's roles: those who have work of their own and never supervised are asked.
    private func reviewRefused(question: String) throws -> Done? {
        guard let user = try session.settings().user,
            try session.field().supervisorRole(of: user) == .unlikely
        else { return nil }
        let doubt = "The gateway takes an approval or a return from supervisors alone."
        guard try !session.consents(to: "\(doubt) \(question)") else { return nil }
        return Done("Nothing was changed. Ask a supervisor.", object: [:])
    }

    /// What was approved is not returned by mistake. Where it has changed since, that is what a return is for.
    private func approvalKept(_ reference: RecordReference) throws -> Done? {
        let field = try session.field()
        guard let inspection = try field.inspections.find(reference.id), inspection.status == .approved,
            try field.approvalChanges(of: inspection) == nil
        else { return nil }
        guard try !session.consents(to: "It is approved. Take the approval back, and return it?") else { return nil }
        return Done("Nothing was changed.", object: [:])
    }

    /// Asks before a step is made while two people's values are still to be decided.
    ///
    /// - Parameter settled: fields of the inspection that are decided by the step itself.
    /// - Returns: what is said where the step is not made.
    private func stepRefused(
        _ reference: RecordReference, question: String, besides settled: Set<FieldPath> = []
    ) throws -> Done? {
        guard let subjects = try session.undecided(ofInspection: reference.id, besides: settled) else { return nil }
        let open = "Something is still to be decided: \(subjects)."
        guard try !session.consents(to: "\(open) \(question)".printable) else { return nil }
        return Done("Nothing was changed. Decide first: conflicts", object: [:])
    }

    /// Of two laptops one may have handed in what the other gave an answer to that asks for more.
    private func unansweredRefused(_ reference: RecordReference) throws -> Done? {
        let field = try session.field()
        guard let inspection = try field.inspections.find(reference.id),
            let form = try field.form(of: inspection)
        else { return nil }
        let open = FormCheck.missing(in: inspection.answers, of: form).map(\.label)
        guard !open.isEmpty else { return nil }
        let question = "Not answered: \(open.joined(separator: ", ")). Approve it all the same?"
        guard try !session.consents(to: question.printable) else { return nil }
        return Done("Nothing was changed. Send it back: return \(reference.shortID) REASON", object: [:])
    }

    /// A wrong clock can leave a day that nobody typed, and that nobody can change after the inspection is handed in.
    ///
    /// - Returns: what is said where it is not handed in.
    private func datedAheadRefused(_ reference: RecordReference) throws -> Done? {
        let today = session.environment.today()
        guard let date = try session.field().inspections.find(reference.id)?.date,
            let doubt = AnswerDoubt.about(day: "\(date)", usually: .min...1, today: today)
        else { return nil }
        guard try !session.consents(to: "\(doubt) That is its day. Submit it all the same?") else { return nil }
        return Done("Nothing was changed. Correct its day: edit \(reference.shortID) date=today", object: [:])
    }

    private func showChanges(from known: RecordSnapshot, to present: RecordSnapshot) {
        let changes = known.changes(to: present).map { $0.printableLine.cut(to: ShellLimits.answerShown) }
        if !changes.isEmpty { session.dialogue.show("Changed since: \(changes.joined(separator: ", "))") }
    }

    /// Makes a step with an inspection as it was when everything was asked. What somebody else has changed meanwhile, or since
    /// it was looked at here, is asked about.
    ///
    /// - Parameters:
    ///   - name: what is about to be done: `Approve`.
    ///   - ask: asks everything else, once it is known that the step can be made; returns what is said where it is not made.
    private func step(
        _ name: String, with reference: RecordReference, ask: () throws -> Done?,
        make: (FieldDatabase) throws -> Done
    ) throws -> Done {
        let field = try session.field()
        var known = session.seen[reference]
        while true {
            let present = try RecordSnapshot(of: reference, in: field)
            if let refusal = try ask() { return refusal }
            let question = "The inspection has changed since you looked at it. \(name) it all the same?"
            if let known, known != present {
                showChanges(from: known, to: present)
                guard try session.consents(to: question) else {
                    return Done("Nothing was changed. Look at it again: show \(reference.shortID)", object: [:])
                }
            }
            if let done = try field.ifStill(present, change: { try make(field) }) { return done }
            session.dialogue.show("Meanwhile somebody has changed the inspection.")
            known = present
        }
    }
}
