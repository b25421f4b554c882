import DocumentQuery

/// A statement that is being put together, with the database of its first source and the first error.
struct BuiltQuery: Sendable {
    var statement: SelectStatement
    private(set) var database: Database?
    private(set) var problem: QueryError?

    init(_ statement: SelectStatement, database: Database? = nil) {
        self.statement = statement
        self.database = database
    }

    mutating func note(_ problem: QueryError) { self.problem = self.problem ?? problem }

    /// The syntax of an expression, whose problem becomes the query's.
    mutating func syntax(_ expression: any ExpressionProtocol) -> QueryExpression {
        let built = BuiltExpression(expression)
        if let problem = built.problem { note(problem) }
        return built.syntax
    }

    mutating func add(
        _ dataSource: any DataSourceProtocol, joining: QuerySource.Joining, condition: BuiltExpression?
    ) {
        guard let source = dataSource as? BuiltSource else {
            return note(QueryError("\(type(of: dataSource)) is no source of the query builder"))
        }
        if let database, database !== source.collection.database {
            note(QueryError("The sources of a query are of the same database"))
        }
        database = database ?? source.collection.database
        statement.sources.append(source.source(joining, condition: condition.map { syntax($0) }))
    }

    func with(_ change: (inout BuiltQuery) -> Void) -> BuiltQuery {
        var copy = self
        change(&copy)
        return copy
    }
}
