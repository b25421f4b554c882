/// For code of Couchbase Lite 2.x: `FullTextExpression.index("names").match("mill")`.
@available(*, deprecated, message: "Use FullTextFunction.match(_:query:) with Expression.fullTextIndex(_:).")
public struct FullTextExpression: Sendable {
    private let name: String

    /// A full-text index by its name.
    public static func index(_ name: String) -> FullTextExpression { FullTextExpression(name: name) }

    /// Whether the document fits the search; as ``FullTextFunction/match(_:query:)``.
    public func match(_ query: String) -> any ExpressionProtocol {
        FullTextFunction.match(Expression.fullTextIndex(name), query: query)
    }
}
