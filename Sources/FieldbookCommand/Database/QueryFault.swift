import DocumentValues
import FieldShell
import Fieldbook

/// An error at a position of a query's text, with the line in question and a caret under the position.
struct QueryFault: Error, CustomStringConvertible {
    private static let indent = "  "

    let error: StoreError
    private let excerpt: TextExcerpt

    /// `nil` for an error that has no position.
    init?(_ error: StoreError, in text: String) {
        guard let position = error.context["position"].flatMap({ Int($0) }) else { return nil }
        self.error = error
        excerpt = TextExcerpt(text, at: position)
    }

    /// Three lines.
    var description: String {
        let margin = Self.indent + String(repeating: " ", count: excerpt.before.displayWidth)
        return "\(error)\n\(Self.indent)\(excerpt.before)\(excerpt.behind)\n\(margin)^"
    }
}
