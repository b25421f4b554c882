import DocumentValues
import FieldForms
import FieldModels
import FieldRecords

/// Hands in a filled form: looks at all of its answers, and finalises it if none is open or wrong.
struct ResponseSubmission {
    let session: ShellSession
    let reference: RecordReference

    func run() throws -> Done {
        let field = try session.field()
        let record = try FormSession.open(reference.id, in: field, setting: session.formSetting(language: nil))
        try checkIsOpen(record.response)
        if let refusal = try workOfOthersRefused(record.response) ?? unchangedRefused(record.response) {
            return refusal
        }
        switch try record.finalise(record.state, marks: record.marks, droppingSurplus: false) {
        case .done(let name):
            return Done(
                "Submitted \(reference.shortID), \(name.printableLine). The next sync sends it.",
                object: record.response.identifiedObject)
        case .failures(let problems):
            let lines = problems.map { "  \($0.line)" }.joined(separator: "\n")
            throw RecordObstacle(
                "Not submitted yet. \(problems.count.of("answer")) open or wrong:\n\(lines)",
                hint: "\nGo on: fill \(reference.shortID)")
        }
    }

    private func checkIsOpen(_ response: Response) throws {
        guard !response.state.isOpen else { return }
        let stage = try session.field().responseLifeCycle.stage(of: response)
        throw RecordObstacle(
            "The filled form \(reference.shortID) is \(stage.rawValue) already.",
            hint: stage == .finalised ? "The next sync sends it. Change it: fill \(reference.shortID)" : nil)
    }

    private func workOfOthersRefused(_ response: Response) throws -> Done? {
        guard session.canAsk, let user = try session.settings().user, !response.isToBeDone(by: user) else { return nil }
        let owner = (response.worker ?? "somebody else").printableLine
        guard try !session.consents(to: "The filled form is \(owner)'s. Submit it all the same?") else { return nil }
        return Done("Nothing was changed.", object: [:])
    }

    /// A returned form is handed in unchanged only by intention.
    private func unchangedRefused(_ response: Response) throws -> Done? {
        guard response.state == .hasIssues || response.state == .rejected else { return nil }
        let question = "It was returned, and is as it was. Submit it all the same?"
        guard try !session.consents(to: question) else { return nil }
        return Done("Nothing was changed. Go on: fill \(reference.shortID)", object: [:])
    }
}
