import DocumentValues

/// Reads the text of a query. An error names the furthest byte that was reached: the alternative that was tried last
/// may have failed earlier.
package struct QueryParser {
    var cursor: QueryCursor
    private var nesting = 0
    /// Operators of chains inside each other, with those of the present chain so far.
    var chained = 0

    private init(_ text: String, watched: Int? = nil) { cursor = QueryCursor(text, watched: watched) }

    package static func statement(_ text: String) throws(QueryError) -> SelectStatement {
        guard text.utf8.count <= QueryLimits.text else {
            throw QueryError("The query is longer than \(QueryLimits.text) bytes")
        }
        return try read(text, isStatement: true) { parser throws(QueryError) in try parser.readStatement() }
    }

    /// The expressions of an index, `a, b.c, LENGTH(d)`, and its condition.
    package static func index(
        _ text: String, condition: String?
    ) throws(QueryError) -> (expressions: [QueryExpression], condition: QueryExpression?) {
        let whole = condition.map { "SELECT \(text) FROM _ WHERE ( \($0) )" } ?? text
        let statement: SelectStatement
        do throws(QueryError) {
            statement = try list(whole) { parser throws(QueryError) in try parser.readIndex() }
        } catch {
            guard let position = error.position else { throw error }
            throw QueryError(
                "Invalid N1QL in index expression \"\(whole)\" near character \(position + 1)", advice: error.advice)
        }
        guard !statement.columns.contains(where: { $0.alias != nil }) else {
            throw QueryError("Unknown operator 'AS'")
        }
        guard !statement.hasMoreThanCondition else {
            throw QueryError("An index has expressions and perhaps a condition, and nothing else of a query")
        }
        return (statement.columns.map(\.expression), statement.condition)
    }

    /// A condition alone.
    package static func expression(_ text: String) throws(QueryError) -> QueryExpression {
        try list(text) { parser throws(QueryError) in try parser.readExpression() }
    }

    private static func list<Value>(
        _ text: String, read: (inout QueryParser) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        guard text.utf8.count <= QueryLimits.text else {
            throw QueryError("The expression is longer than \(QueryLimits.text) bytes")
        }
        return try self.read(text, isStatement: false) { parser throws(QueryError) in
            let value = try read(&parser)
            parser.cursor.skipSpace()
            guard parser.cursor.isAtEnd else { throw parser.cursor.fail(.end) }
            return value
        }
    }

    /// Reads the text; if its syntax is wrong, once more for the tokens that it might have had there.
    private static func read<Value>(
        _ text: String, isStatement: Bool, with read: (inout QueryParser) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        var parser = QueryParser(text)
        do throws(QueryError) { return try read(&parser) } catch {
            guard let position = error.position else { throw error }
            parser = QueryParser(text, watched: position)
        }
        do throws(QueryError) { return try read(&parser) } catch {
            throw error.advised(SyntaxAdvice(parser.cursor, isStatement: isStatement)?.text)
        }
    }

    /// Runs `read` for a nested part, as deep as the limit allows.
    mutating func nested<Value>(
        _ read: (inout QueryParser) throws(QueryError) -> Value
    ) throws(QueryError) -> Value {
        guard nesting < QueryLimits.nesting else {
            throw QueryError("The query is nested more than \(QueryLimits.nesting) levels deep")
        }
        nesting += 1
        let value = try read(&self)
        nesting -= 1
        return value
    }

    // MARK: Statements

    /// SELECT may be left out.
    private mutating func readIndex() throws(QueryError) -> SelectStatement {
        guard cursor.take(word: "SELECT") else {
            return SelectStatement(columns: try readColumns(), sources: [])
        }
        return try readSelect()
    }

    private mutating func readStatement() throws(QueryError) -> SelectStatement {
        let statement: SelectStatement?
        if cursor.take(word: "SELECT") {
            statement = try readSelect()
        } else {
            _ = try readColumns()
            statement = nil
        }
        _ = cursor.take(";")
        cursor.skipSpace()
        guard cursor.isAtEnd else { throw cursor.fail(.end) }
        guard let statement, !statement.sources.isEmpty else {
            throw QueryError("N1QL error: missing the FROM clause")
        }
        return statement
    }

    /// The clauses behind SELECT.
    mutating func readSelect() throws(QueryError) -> SelectStatement {
        let isDistinct = cursor.take(word: "DISTINCT")
        if !isDistinct { _ = cursor.take(word: "ALL") }
        var statement = SelectStatement(isDistinct: isDistinct, columns: try readColumns(), sources: [])
        if cursor.take(word: "FROM") { statement.sources = try readSources() }
        if cursor.take(word: "WHERE") { statement.condition = try readExpression() }
        if cursor.take(word: "GROUP") {
            try cursor.expect(word: "BY")
            repeat { statement.grouping.append(try readExpression()) } while cursor.take(",")
            if cursor.take(word: "HAVING") { statement.groupCondition = try readExpression() }
        }
        if cursor.take(word: "ORDER") {
            try cursor.expect(word: "BY")
            repeat { statement.order.append(try readOrderTerm()) } while cursor.take(",")
        }
        try readLimits(&statement)
        return statement
    }

    private mutating func readColumns() throws(QueryError) -> [ResultColumn] {
        var columns: [ResultColumn] = []
        repeat {
            let expression = try readExpression()
            columns.append(ResultColumn(expression, alias: try readAlias()))
        } while cursor.take(",")
        return columns
    }

    private mutating func readAlias() throws(QueryError) -> String? {
        if cursor.take(word: "AS") {
            guard let name = cursor.takeName() else { throw cursor.fail() }
            return name
        }
        return cursor.takeName()
    }

    private mutating func readOrderTerm() throws(QueryError) -> OrderTerm {
        let expression = try readExpression()
        let isDescending = cursor.take(word: "DESC")
        if !isDescending { _ = cursor.take(word: "ASC") }
        return OrderTerm(expression, isDescending: isDescending)
    }

    private mutating func readLimits(_ statement: inout SelectStatement) throws(QueryError) {
        while true {
            if statement.limit == nil, cursor.take(word: "LIMIT") {
                statement.limit = try readExpression()
            } else if statement.offset == nil, cursor.take(word: "OFFSET") {
                statement.offset = try readExpression()
            } else {
                return
            }
        }
    }

    // MARK: Sources

    private mutating func readSources() throws(QueryError) -> [QuerySource] {
        let first = try readCollection()
        var sources = [QuerySource(.collection(first), alias: try readAlias())]
        while let source = try readJoin() { sources.append(source) }
        return sources
    }

    private mutating func readCollection() throws(QueryError) -> [String] {
        guard let name = cursor.takeName() else { throw cursor.fail() }
        guard cursor.take(".") else { return [name] }
        guard let inner = cursor.takeName() else { throw cursor.fail() }
        return [name, inner]
    }

    private mutating func readJoin() throws(QueryError) -> QuerySource? {
        let joining: QuerySource.Joining
        if cursor.take(word: "UNNEST") {
            let list = try readExpression()
            return QuerySource(.elements(of: list), alias: try readAlias(), joining: .unnest)
        } else if cursor.take(word: "JOIN") {
            joining = .inner
        } else if cursor.take(word: "INNER") {
            try cursor.expect(word: "JOIN")
            joining = .inner
        } else if cursor.take(word: "LEFT") {
            _ = cursor.take(word: "OUTER")
            try cursor.expect(word: "JOIN")
            joining = .left
        } else if cursor.take(word: "CROSS") {
            try cursor.expect(word: "JOIN")
            joining = .cross
        } else {
            return nil
        }
        let collection = try readCollection()
        let alias = try readAlias()
        let condition: QueryExpression? = cursor.take(word: "ON") ? try readExpression() : nil
        return QuerySource(.collection(collection), alias: alias, joining: joining, condition: condition)
    }
}

extension SelectStatement {
    /// Whether it has clauses that an index cannot have.
    fileprivate var hasMoreThanCondition: Bool {
        isDistinct || sources.count > 1 || !grouping.isEmpty || !order.isEmpty || limit != nil || offset != nil
    }
}
