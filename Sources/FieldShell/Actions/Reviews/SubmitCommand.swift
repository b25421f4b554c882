import DocumentValues
import FieldModels
import FieldRecords

/// Hands in an inspection or a filled form.
struct SubmitCommand {
    let session: ShellSession

    func run(_ text: String) throws -> Done {
        let reference = try RecordFinder(session: session).find(text, among: [.inspection, .response])
        if reference.kind == .response { return try ResponseSubmission(session: session, reference: reference).run() }
        let step = InspectionStep(session: session, name: "Submit", reference: reference)
        return try step.run {
            try session.field().lifeCycle.checkSubmission(reference.id)
            guard let inspection = try session.field().inspections.find(reference.id) else { return nil }
            try checkVisit(inspection)
            return try workOfOthersRefused(inspection) ?? repeatedWorkRefused(inspection)
                ?? step.refusedOverConflicts() ?? datedAheadRefused(inspection)
        } make: { field in
            let leftOut = try closedAnswers(of: reference.id, in: field)
            let inspection = try field.lifeCycle.submit(reference.id, by: session.author())
            let missing = try MissingSite(of: inspection, in: field).map { " \($0.sentence)" }
            let assignment = try assignmentLeftOpen(inspection).map { " \($0)" }
            // Only a supervisor can return an inspection that is handed in, so the answer shows its title.
            let title = try TitleWithSite(field.deletions).title(reference).printableLine
            return Done(
                "Submitted \(reference.shortID), \(title)\(leftOut).\(missing ?? "")\(assignment ?? "")",
                object: inspection.identifiedObject)
        }
    }

    /// A draft that was stopped before its visit was asked for does not go as a routine one.
    private func checkVisit(_ inspection: Inspection) throws(UsageError) {
        guard inspection.isVisitOpen else { return }
        let id = RecordReference.short(inspection.id, kind: .inspection)
        throw UsageError("Not submitted yet. Still to answer: Visit.", hint: "Answer it: edit \(id) visit=routine")
    }

    /// A slip of an id hands in a colleague's draft, and the colleague cannot go on with it.
    private func workOfOthersRefused(_ inspection: Inspection) throws -> Done? {
        let isLeft = try OthersWork(session: session).askToLeave(inspection, verb: "Submit")
        return isLeft ? Done("Nothing was changed.", object: [:]) : nil
    }

    /// Two laptops have begun the assignment, and the other one has closed it: one inspection is enough.
    private func repeatedWorkRefused(_ inspection: Inspection) throws -> Done? {
        guard let id = inspection.assignment,
            let assignment = try session.field().assignments.findReadable(id), assignment.status == .done,
            let other = assignment.inspection, !other.isExactly(inspection.id)
        else { return nil }
        let name = RecordReference.short(id, kind: .assignment).printableLine
        let done = RecordReference.short(other, kind: .inspection).printableLine
        let question = "Its assignment \(name) is done already, by the inspection \(done). Submit this one, too?"
        guard try !session.consents(to: question) else { return nil }
        return Done("Nothing was changed. See the other one: show \(done)", object: [:])
    }

    /// The answers that a submission removes: `, without the answers that are not asked any more: Which: mice`; empty if
    /// there are none.
    private func closedAnswers(of id: String, in field: FieldDatabase) throws -> String {
        guard let inspection = try field.inspections.find(id) else { return "" }
        let closed = try field.lifeCycle.closedAnswers(of: inspection).map { question in
            let answer = (inspection.answers[question.name]?.cell ?? "").cut(to: ShellLimits.answerShown)
            return "\(question.label): \(answer)".printableLine
        }
        let list = closed.joined(separator: ", ")
        return closed.isEmpty ? "" : ", without the answers that are not asked any more: \(list)"
    }

    /// Only the inspector of an assignment closes it, and it may have been given to another one since. An unreadable
    /// assignment cannot be closed.
    private func assignmentLeftOpen(_ inspection: Inspection) throws -> String? {
        guard let id = inspection.assignment else { return nil }
        let field = try session.field()
        let short = RecordReference.short(id, kind: .assignment)
        guard let assignment = try field.assignments.findReadable(id) else {
            guard try field.store.isThere(.assignment, id: id) else { return nil }
            return "Its assignment \(short.printableLine) cannot be read on this laptop, and stays as it is."
        }
        guard let user = try session.settings().user, assignment.status == .open, !assignment.inspector.isExactly(user)
        else { return nil }
        return "Its assignment \(short) is \(assignment.inspector.printableLine)'s, and stays open."
    }

    /// A wrong clock can leave a wrong day that was never typed, and that cannot be changed after the inspection is
    /// handed in.
    ///
    /// - Returns: the answer if it is not handed in.
    private func datedAheadRefused(_ inspection: Inspection) throws -> Done? {
        let today = session.environment.today()
        guard let doubt = AnswerDoubt.about(day: "\(inspection.date)", usually: .min...1, today: today) else {
            return nil
        }
        guard try !session.consents(to: "\(doubt) That is its day. Submit it all the same?") else { return nil }
        let id = RecordReference.short(inspection.id, kind: .inspection)
        return Done("Nothing was changed. Correct its day: edit \(id) date=today", object: [:])
    }
}
