import DocumentValues
import FormLogic

/// Whether a question's default is a text, or an expression that is evaluated when the record is made.
package enum DefaultKind: Sendable {
    case fixed
    case evaluated

    /// By pyxform's rule: an expression has a call, a reference, a predicate or an operator. In dates and positions a
    /// hyphen before any of these makes a text of it.
    package init(_ text: String, type: QuestionType?) {
        guard let first = Self.firstSign(in: text) else {
            self = .fixed
            return
        }
        let hyphen = text.utf8.firstIndex(of: UInt8(ascii: "-")).map {
            text.utf8.distance(from: text.startIndex, to: $0)
        }
        let isFixed = Self.hasHyphens(type) && hyphen.map { $0 < first } == true
        self = isFixed ? .fixed : .evaluated
    }

    private static func hasHyphens(_ type: QuestionType?) -> Bool {
        switch type {
        case .plain(.date)?, .plain(.dateTime)?, .plain(.geopoint)?, .plain(.geotrace)?, .plain(.geoshape)?: true
        case .plain?, .select?, nil: false
        }
    }

    /// The position of the first part that only an expression has.
    private static func firstSign(in text: String) -> Int? {
        let signs = text.matches(
            of: /[A-Za-z_][A-Za-z0-9_.:\-]*\(|\$\{|\[|[+*|]|(?:^|\s)-(?=\s)|(?:^|[\s)\]}])(?:div|mod)(?=[\s(\[$])/)
        return signs.first.map { text.utf8.distance(from: text.startIndex, to: $0.range.lowerBound) }
    }
}
