/// Why a query cannot be understood, with the numbers of Couchbase Lite.
package struct QueryError: Error, Sendable, Hashable {
    package enum Code: Int, Sendable, Hashable {
        case invalidQuery = 23
        case missingIndex = 24
        case invalidParameter = 25
    }

    package let code: Code
    /// In the words of Couchbase Lite where it has this error, too.
    package let message: String
    /// The fault there, and the way out, in one line that is safe to print; `nil` if the message says all.
    package let advice: String?
    /// The byte of the text at which the syntax is wrong, counted from 0; other errors have none.
    package let position: Int?

    package init(_ message: String, code: Code = .invalidQuery, position: Int? = nil, advice: String? = nil) {
        self.code = code
        self.message = message
        self.position = position
        self.advice = advice
    }

    /// The same error with advice.
    func advised(_ advice: String?) -> QueryError {
        QueryError(message, code: code, position: position, advice: advice)
    }

    package static let tooDeep = QueryError(
        "The query has more than \(QueryLimits.depth) expressions inside each other")

    /// SQLite has a limit of its own, which depends on the kinds of the expressions.
    package static let tooDeepForSQLite = QueryError(
        "The query has too many expressions inside each other: some ten to thirty are possible")

    static let notConstant = QueryError("LIMIT and OFFSET must be constant")

    package static func syntax(at position: Int) -> QueryError {
        QueryError("N1QL syntax error near character \(position + 1)", position: position)
    }
}
