import DocumentValues
import FieldModels

/// An inspection that cannot be handed in yet.
public struct UnansweredQuestions: AdvisingError, Sendable, Hashable {
    @Exact public private(set) var id: String
    public let open: [FormField]
    public let wrong: [FieldProblem]

    public var advised: AdvisedText {
        let missing = open.isEmpty ? "" : " Still to answer: " + open.map(\.label).joined(separator: ", ") + "."
        guard !wrong.isEmpty else { return "Not submitted yet.\(missing)" }
        let problems = wrong.map(\.description).joined(separator: "; ")
        let id = RecordKind.inspection.shortID(of: id)
        return "Not submitted yet.\(missing) Wrong: \(problems). Answer again\(colon: .editAnswers(id), or: ".")"
    }
}
