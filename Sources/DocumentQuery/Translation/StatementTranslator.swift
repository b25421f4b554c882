import DocumentValues

/// Translates a statement to SQL: first the sources, then the columns, then the clauses that select and order the rows.
package struct StatementTranslator {
    let environment: any QueryEnvironment
    var target: TranslationTarget
    var scope = TranslationScope()
    var clause = ClauseState()
    /// Numbers of parameters by their names.
    private(set) var parameters: [Name: Int] = [:]
    /// The highest number of a parameter, with a name or without.
    private var lastParameter = TranslatedQuery.timeParameter
    var collections: Set<Int64> = []
    var sourceCount = 0
    var variableCount = 0
    /// The indexes of the values of collections that were looked up.
    var indexedExpressions: [Int64: IndexedExpressions] = [:]
    /// Full-text indexes by their names in MATCH, with their names in SQL.
    var searchNames: [Name: String] = [:]
    var depth = 0
    /// Bytes of SQL that are repeated because clauses use a column by its alias.
    var repeatedBytes = 0

    init(_ environment: any QueryEnvironment, target: TranslationTarget, sources: [TranslatedSource] = []) {
        self.environment = environment
        self.target = target
        scope.sources = sources
    }

    package static func translate(
        _ statement: SelectStatement, environment: any QueryEnvironment
    ) throws -> TranslatedQuery {
        var translator = StatementTranslator(environment, target: .query)
        let select = try translator.select(statement, isOutermost: true)
        return TranslatedQuery(
            sql: select.sql, columns: select.columns, parameters: translator.parameters,
            collections: translator.collections, mayFail: statement.mayFail, firstRows: select.firstRows)
    }

    /// For expressions of an index over the table of a collection.
    ///
    /// - Parameter row: the name of the table's row.
    init(forIndexOf collection: String, row: String = "") {
        self.init(
            EmptyEnvironment(), target: row.isEmpty ? .valueIndex : .indexTable,
            sources: [
                TranslatedSource(
                    content: .collection(0, hasScope: false), alias: collection, columnName: nil, table: row,
                    hasOwnAlias: true)
            ])
    }

    /// For expressions of the elements that a table has in its column `value`.
    init(forElements table: String) {
        self.init(
            EmptyEnvironment(), target: .indexTable,
            sources: [
                TranslatedSource(content: .elements, alias: "", columnName: nil, table: table, hasOwnAlias: true)
            ])
    }

    mutating func sqlOfIndex(_ expression: QueryExpression) throws -> String {
        clause = ClauseState()
        let sql: String
        switch expression {
        case .collated(let collation, let inner): sql = try self.sql(inner) + " COLLATE \(collation.sqlName)"
        // SQLite would read a bare text as the name of a column.
        case .literal(.string): sql = "fb_text(\(try inner(expression)))"
        default: sql = try self.sql(expression)
        }
        guard parameters.isEmpty else { throw QueryError("parameters prohibited in index expressions") }
        return sql
    }

    mutating func sqlOfIndexCondition(_ condition: QueryExpression) throws -> String {
        clause = ClauseState()
        let sql = try sqlOfCondition(condition)
        guard parameters.isEmpty else { throw QueryError("parameters prohibited in partial index WHERE clauses") }
        return sql
    }

    // MARK: Statements

    private func check(_ statement: SelectStatement) throws {
        guard statement.columns.count <= QueryLimits.columns else {
            throw QueryError("More than \(QueryLimits.columns) columns")
        }
        guard !statement.columns.isEmpty else { throw QueryError("A query without columns") }
        guard statement.groupCondition == nil || !statement.grouping.isEmpty else {
            throw QueryError("HAVING needs a GROUP BY")
        }
        guard max(statement.order.count, statement.grouping.count) <= QueryLimits.terms else {
            throw QueryError("More than \(QueryLimits.terms) terms of ORDER BY or GROUP BY")
        }
    }

    mutating func select(_ statement: SelectStatement, isOutermost: Bool = false) throws -> TranslatedSelect {
        try check(statement)
        let outer = (scope: scope, clause: clause)
        defer {
            scope = outer.scope
            clause = outer.clause
            // Behind a statement inside, the names of variables are free again.
            clause.usedVariables = []
        }
        try openScope(of: statement)
        let columns = try translateColumns(statement)
        if outer.clause.allowsProperties { scope.sources += outer.scope.sources }
        let (from, joinConditions) = try translateSources(statement.sources)
        let condition = try translateCondition(statement.condition, hasJoins: statement.sources.count > 1)
        let conditions = try joinConditions + condition + arrayConditions(statement)
        let sources = from + scope.searches.map(\.join).joined()
        if let keys = try distinctKeys(statement, from: sources, conditions: conditions) {
            let limits = try translateLimits(statement)
            return TranslatedSelect(sql: keys + limits, columns: columns.columns, firstRows: nil)
        }
        let (groups, order) = (try translateGroups(statement), try translateOrder(statement))
        let limits = try translateLimits(statement)
        let test = isOutermost ? try firstRowsTest(of: statement) : nil
        let all = (test.map { [$0.condition] } ?? []) + conditions
        let filter = all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND ")
        let column = test.map { ", \($0.column)" } ?? ""
        return TranslatedSelect(
            sql: "\(columns.sql)\(column) FROM \(sources)\(filter)\(groups)\(order)\(limits)", columns: columns.columns,
            firstRows: test?.parameter(from: sources, conditions: conditions))
    }

    /// The names of a statement, in which variables around it are still known.
    mutating func openScope(of statement: SelectStatement) throws {
        let variables = scope.variables
        scope = TranslationScope()
        scope.variables = variables
        scope.variablesOfColumns = variables
        scope.hasOneExtreme = statement.hasOneExtreme
        scope.sources = try statement.sources.map { source throws in try declare(source) }
        for index in scope.sources.indices {
            scope.sources[index].seesDeleted = statement.mentionsDeleted(scope.sources[index], in: scope)
        }
        try checkAliases(statement.columns)
        try declareMatches(statement.condition)
    }

    // MARK: Parameters

    mutating func parameter(_ name: String) throws -> String {
        if let number = parameters[Name(name)] { return "?\(number)" }
        guard parameters.count < QueryLimits.parameters else {
            throw QueryError("More than \(QueryLimits.parameters) parameters")
        }
        let number = newParameter()
        parameters[Name(name)] = number
        return "?\(number)"
    }

    /// The number of another parameter.
    mutating func newParameter() -> Int {
        lastParameter += 1
        return lastParameter
    }
}

/// A statement in SQL.
struct TranslatedSelect {
    let sql: String
    let columns: [TranslatedQuery.Column]
    /// The test for rows that cannot be among the first, if it is the outermost statement and needs only these.
    let firstRows: TranslatedQuery.FirstRowsParameter?
}

extension FullTextSearch {
    fileprivate var join: String { " JOIN \(table) AS \(name) ON \(name).rowid = \(source).sequence" }
}

extension SelectStatement {
    /// Whether ORDER BY may have aggregate functions.
    var isGrouped: Bool { !grouping.isEmpty || !aggregates.isEmpty }

    /// The aggregate functions in its columns, by their names.
    private var aggregates: [String] {
        var names: [String] = []
        for column in columns {
            _ = column.expression.contains { part in
                if case .aggregate(let name, _, let isDistinct) = part { names.append(isDistinct ? "" : name) }
                return false
            }
        }
        return names
    }

    fileprivate var hasOneExtreme: Bool {
        guard grouping.isEmpty, order.isEmpty, aggregates.count == 1 else { return false }
        return FunctionCatalog.result(ofAggregate: aggregates[0]) == .extreme
    }
}
