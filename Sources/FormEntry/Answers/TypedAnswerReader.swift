import DocumentValues
import FormLogic

/// Reads what a person types at a question.
package enum TypedAnswerReader {
    /// - Parameter text: without the marks of the conversation: `:clear`, `?`, the first colon of `::`. For a line of
    ///   points all of its lines.
    package static func read(
        _ text: String, for question: AskedQuestion, in context: AnswerContext
    ) -> AnswerOutcome {
        .kept
    }
}
