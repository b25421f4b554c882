import DocumentValues
import FieldModels

/// An inspection that cannot be handed in yet.
public struct UnansweredQuestions: UserFacingError, Sendable, Hashable {
    @Exact public private(set) var id: String
    public let open: [FormField]
    public let wrong: [FieldProblem]

    public var description: String {
        var text = "Not submitted yet."
        if !open.isEmpty { text += " Still to answer: " + open.map(\.label).joined(separator: ", ") + "." }
        if !wrong.isEmpty {
            text += " Wrong: " + wrong.map(\.description).joined(separator: "; ")
            text += ". Answer again: edit \(RecordKind.inspection.shortID(of: id))"
        }
        return text
    }
}
