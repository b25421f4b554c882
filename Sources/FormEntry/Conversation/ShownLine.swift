import DocumentValues
import FormLogic

/// A line, or several, of a conversation, without layout: the terminal indents, breaks and styles it.
package struct ShownLine: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Title, saving and progress, with the language and the way to help at the right margin.
        case header
        /// The groups and instances around the next questions.
        case heading
        /// A label with its marks.
        case question
        case hint
        case choice
        case media
        /// A note of the form.
        case note
        /// An answer as it was understood.
        case answer
        /// An answer that was not taken, with the reason.
        case refusal
        /// Something beside the answer that the person should know.
        case warning
        case info
        /// Of a list: the form at a glance, instances, failures.
        case row
        /// Explains a question or the commands.
        case help
    }

    package let kind: Kind
    package let text: StyledText
    /// At the right margin where there is room.
    @Exact package private(set) var trailing: String

    package init(_ kind: Kind, text: StyledText, trailing: String = "") {
        self.kind = kind
        self.text = text
        self.trailing = trailing
    }

    package init(_ kind: Kind, plain text: String) { self.init(kind, text: StyledText(text)) }
}

/// The line in which a person types.
package struct AskedLine: Sendable {
    package enum Input: Sendable, Hashable {
        case line
        /// Several lines, pasted ones too.
        case lines
        /// A path, which Tab completes.
        case path
        /// Not to be seen.
        case masked
    }

    /// A short question before the answer; empty where the label above is the question.
    package var question = ""
    /// In brackets: Enter keeps it.
    package var present: String?
    /// Texts that Tab completes.
    package var completions: [String] = []
    package var input = Input.line
    /// An answer that was refused, to be changed instead of typed again.
    package var refused: String?

    /// `  Add another? y/N > `
    package var text: String {
        [question, present.map { "[\($0)]" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
