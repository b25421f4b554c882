import DocumentValues
import FieldForms
import FieldModels
import FieldRecords

/// Approves filled forms, and sends them back with comments.
struct ResponseReview {
    let session: ShellSession
    let reference: RecordReference

    func approve() throws -> Done {
        let step = InspectionStep(session: session, name: "Approve", reference: reference)
        return try step.run {
            try checkMayReview(verb: "approve")
            try session.field().responseLifeCycle.checkReview(reference.id, as: .approved)
            return try step.refusedAsReview() ?? step.refusedOverConflicts()
        } make: { field in
            let response = try field.responseLifeCycle.approve(reference.id, by: session.author())
            return Done("Approved \(reference.shortID).", object: response.identifiedObject)
        }
    }

    /// - Parameters:
    ///   - comment: `nil` to have it asked for.
    ///   - path: the question that the comment is about, as it was typed.
    func sendBack(because comment: String?, at path: String?) throws -> Done {
        guard comment != nil || session.canAsk else { throw ReturnReason.isMissing }
        var comment = comment
        let step = InspectionStep(session: session, name: "Return", reference: reference)
        let question = try path.map { try opened().keyedPath(named: $0) }
        return try step.run {
            try checkMayReview(verb: "return")
            try session.field().responseLifeCycle.checkReview(reference.id, as: .hasIssues)
            if let refusal = try step.refusedAsReview() ?? approvalKept() { return refusal }
            if comment == nil { comment = try askedComment() }
            return comment == nil ? Done("Nothing was changed: its author needs a comment.", object: [:]) : nil
        } make: { field in
            guard let comment else { throw ReturnReason.isMissing }
            let response = try field.responseLifeCycle.sendBack(
                reference.id, because: comment, question: question, by: session.author())
            let about = path.map { ", about \($0.printableLine)" } ?? ""
            let further = path == nil ? " Comment on one answer: return \(reference.shortID) COMMENT --at QUESTION" : ""
            return Done(
                "Returned \(reference.shortID) to \((response.worker ?? "its author").printableLine)\(about).\(further)",
                object: response.identifiedObject)
        }
    }

    private func opened() throws -> FormSession {
        try FormSession.open(
            reference.id, in: session.field(), setting: session.formSetting(language: nil), byReviewer: true)
    }

    /// The gateway lets only supervisors review; this checks at least that the user has signed in, and is not the author.
    private func checkMayReview(verb: String) throws {
        guard let user = try session.settings().user else {
            throw UsageError("Supervisors \(verb), and nobody has signed in here.", hint: "Sign in with: login")
        }
        guard let response = try session.field().responses.find(reference.id), response.isWork(of: user) else { return }
        throw UsageError(
            "This filled form is your own: somebody else has to \(verb) it.",
            hint: "To change it: fill \(reference.shortID)")
    }

    private func approvalKept() throws -> Done? {
        guard try session.field().responses.find(reference.id)?.state == .approved else { return nil }
        guard try !session.consents(to: "It is approved. Take the approval back, and return it?") else { return nil }
        return Done("Nothing was changed.", object: [:])
    }

    private func askedComment() throws -> String? {
        guard let line = try session.questions.line("What is to be changed? (. leaves it as it is) ") else {
            return nil
        }
        return ReturnReason(line)?.text
    }
}
