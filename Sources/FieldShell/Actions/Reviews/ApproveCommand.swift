import DocumentValues
import FieldModels
import FieldRecords

/// Approves submitted inspections and filled forms.
struct ApproveCommand {
    let session: ShellSession

    func run(_ text: String) throws -> Done {
        let reference = try RecordFinder(session: session).find(text, among: [.inspection, .response])
        if reference.kind == .response { return try ResponseReview(session: session, reference: reference).approve() }
        let step = InspectionStep(session: session, name: "Approve", reference: reference)
        return try step.run {
            try checkMayApprove(reference.id)
            try session.field().lifeCycle.checkReview(reference.id, as: .approved)
            return try step.refusedAsReview()
                ?? step.refusedOverConflicts() ?? unansweredRefused(reference)
        } make: { field in
            let isAgain = try field.inspections.find(reference.id)?.status == .approved
            let inspection = try field.lifeCycle.approve(reference.id, by: session.author())
            let what = isAgain ? " as it is now" : ""
            return Done("Approved \(reference.shortID)\(what).", object: inspection.identifiedObject)
        }
    }

    /// The gateway lets only supervisors approve; this checks at least that the user has signed in, and is not the
    /// inspector.
    private func checkMayApprove(_ id: String) throws {
        guard let user = try session.settings().user else {
            throw UsageError("Supervisors approve, and nobody has signed in here.", hint: "Sign in with: login")
        }
        guard let inspection = try session.field().inspections.find(id), inspection.isWork(of: user) else { return }
        throw UsageError("This inspection is your own: somebody else has to approve it.")
    }

    /// One laptop may have handed in the inspection while another one gave an answer that leads to more questions.
    private func unansweredRefused(_ reference: RecordReference) throws -> Done? {
        let field = try session.field()
        guard let inspection = try field.inspections.find(reference.id),
            let form = try field.inspectionForms.form(of: inspection)
        else { return nil }
        let open = FormCheck.missing(in: inspection.answers, of: form).map(\.label)
        guard !open.isEmpty else { return nil }
        let question = "Not answered: \(open.joined(separator: ", ")). Approve it all the same?"
        guard try !session.consents(to: question.printable) else { return nil }
        return Done("Nothing was changed. Send it back: return \(reference.shortID) REASON", object: [:])
    }
}
