import DocumentQuery
import DocumentValues

/// Searching for words, with an index of ``FullTextIndexConfiguration``.
public enum FullTextFunction {
    /// Whether the document fits the search: words, `"phrases"`, `word*`, with AND, OR and NOT in capitals. It is at
    /// the top of the condition, or beside others with `and`.
    public static func match(
        _ index: any IndexExpressionProtocol, query: String
    ) -> any ExpressionProtocol {
        BuiltIndexName.path(index).map { BuiltExpression(.match(index: $0, text: .literal(.string(query)))) }
            ?? unknown(index)
    }

    /// How well the document fits: the higher, the better. The query has a `match` of the same index.
    public static func rank(_ index: any IndexExpressionProtocol) -> any ExpressionProtocol {
        BuiltIndexName.path(index).map { BuiltExpression(.rank(index: $0)) } ?? unknown(index)
    }

    /// The same with the index's name.
    @available(*, deprecated, message: "Use match(_:query:) with Expression.fullTextIndex(_:).")
    public static func match(indexName: String, query: String) -> any ExpressionProtocol {
        match(Expression.fullTextIndex(indexName), query: query)
    }

    /// The same with the index's name.
    @available(*, deprecated, message: "Use rank(_:) with Expression.fullTextIndex(_:).")
    public static func rank(_ indexName: String) -> any ExpressionProtocol {
        rank(Expression.fullTextIndex(indexName))
    }

    private static func unknown(_ index: any IndexExpressionProtocol) -> BuiltExpression {
        BuiltExpression(problem: QueryError("\(type(of: index)) is no index of the query builder"))
    }
}

/// An index's name as the builder carries it.
struct BuiltIndexName: FullTextIndexExpressionProtocol {
    let name: String
    let alias: String?

    func from(_ alias: String) -> any IndexExpressionProtocol { BuiltIndexName(name: name, alias: alias) }

    static func path(_ index: any IndexExpressionProtocol) -> QueryPath? {
        (index as? BuiltIndexName).map { QueryPath(keys: [$0.alias, $0.name].compactMap { $0 }) }
    }
}
