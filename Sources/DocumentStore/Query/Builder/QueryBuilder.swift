import DocumentQuery

/// Makes queries by calls in Swift, with the meaning of the same query in SQL++:
///
/// ```swift
/// let query = QueryBuilder
///     .select(SelectResult.expression(Meta.id), SelectResult.property("name"))
///     .from(DataSource.collection(sites))
///     .where(Expression.property("region").equalTo(Expression.string("north")))
///     .orderBy(Ordering.property("name").ascending())
/// ```
///
/// ``Query/execute()`` throws the errors of a query.
public enum QueryBuilder {
    /// Begins a query with its columns; without any they are `_id` and `_sequence`.
    public static func select(_ results: any SelectResultProtocol...) -> Select { select(results) }

    /// Begins a query with its columns; without any they are `_id` and `_sequence`.
    public static func select(_ results: [any SelectResultProtocol]) -> Select {
        Select(results, isDistinct: false)
    }

    /// Begins a query whose rows all differ.
    public static func selectDistinct(_ results: any SelectResultProtocol...) -> Select { selectDistinct(results) }

    /// Begins a query whose rows all differ.
    public static func selectDistinct(_ results: [any SelectResultProtocol]) -> Select {
        Select(results, isDistinct: true)
    }
}

/// The columns of a query.
public struct Select: Sendable {
    private let built: BuiltQuery

    init(_ results: [any SelectResultProtocol], isDistinct: Bool) {
        var built = BuiltQuery(SelectStatement(isDistinct: isDistinct, columns: [], sources: []))
        for result in results {
            guard let column = result as? BuiltColumn else {
                built.note(QueryError("\(type(of: result)) is no column of the query builder"))
                continue
            }
            _ = built.syntax(column.expression)
            built.statement.columns.append(column.column)
        }
        self.built = built
    }

    /// The source of the query.
    public func from(_ dataSource: any DataSourceProtocol) -> From {
        var built = built
        if built.statement.columns.isEmpty {
            let alias = (dataSource as? BuiltSource)?.alias
            built.statement.columns = ["id", "sequence"].map { (key: String) in
                ResultColumn(.meta(alias: alias, key: key), alias: "_\(key)")
            }
        }
        built.add(dataSource, joining: .first, condition: nil)
        return From(built)
    }
}
