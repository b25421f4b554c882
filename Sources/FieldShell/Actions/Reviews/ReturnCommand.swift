import DocumentValues
import FieldModels
import FieldRecords

/// Sends an inspection or a filled form back to its author.
struct ReturnCommand {
    let session: ShellSession

    /// - Parameters:
    ///   - reason: `nil` to have it asked for.
    ///   - question: of a filled form, as it was typed; `nil` for all of it.
    func run(_ text: String, because reason: String?, at question: String? = nil) throws -> Done {
        let reference = try RecordFinder(session: session).find(text, among: [.inspection, .response])
        if reference.kind == .response {
            return try ResponseReview(session: session, reference: reference).sendBack(because: reason, at: question)
        }
        guard question == nil else {
            throw UsageError("--at is for filled forms: an inspection is returned as a whole.", hint: "Leave it out.")
        }
        return try sendBack(reference, because: reason)
    }

    private func sendBack(_ reference: RecordReference, because reason: String?) throws -> Done {
        guard reason != nil || session.canAsk else { throw ReturnReason.isMissing }
        var reason = reason
        var asked: GivenAnswer?
        var isReturned = false
        defer { if let asked { settle(asked, isSaved: isReturned) } }
        let step = InspectionStep(session: session, name: "Return", reference: reference)
        return try step.run {
            let inspection = try session.field().inspections.find(reference.id)
            if let inspection { try checkMaySendBack(inspection) }
            try session.field().lifeCycle.checkReview(reference.id, as: .returned)
            let refusal =
                try step.refusedAsReview() ?? inspection.flatMap(approvalKept)
                ?? step.refusedOverConflicts(besides: [RecordConflict.review, RecordConflict.status])
            guard refusal == nil, reason == nil else { return refusal }
            asked = try askedReason()
            reason = asked.flatMap { ReturnReason($0.text)?.text }
            return reason == nil ? Done("Nothing was changed: its inspector needs a reason.", object: [:]) : nil
        } make: { field in
            guard let reason else { throw ReturnReason.isMissing }
            let inspection = try field.lifeCycle.sendBack(reference.id, because: reason, by: session.author())
            isReturned = true
            return Done(
                "Returned \(reference.shortID) to \(inspection.inspector ?? "its inspector").",
                object: inspection.identifiedObject)
        }
    }

    /// The gateway would refuse it, and the inspection would be returned on this laptop alone.
    private func checkMaySendBack(_ inspection: Inspection) throws {
        guard let user = try session.settings().user, inspection.isWork(of: user) else { return }
        throw UsageError("This inspection is your own: a supervisor has to return it to you.")
    }

    /// An approved inspection must not be returned by mistake. If it has changed since, a return is the right step.
    private func approvalKept(_ inspection: Inspection) throws -> Done? {
        guard inspection.status == .approved,
            try session.field().lifeCycle.approvalChanges(of: inspection) == nil
        else { return nil }
        guard try !session.consents(to: "It is approved. Take the approval back, and return it?") else { return nil }
        return Done("Nothing was changed.", object: [:])
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
}
