import DocumentValues

/// Translates a statement to SQL: first the sources, then the columns, then the clauses that select and order the rows.
package struct StatementTranslator {
    let environment: any QueryEnvironment
    var scope = TranslationScope()
    /// Numbers of parameters by their names.
    private(set) var parameters: [Name: Int] = [:]
    private(set) var collections: Set<Int64> = []
    private var sourceCount = 0
    var variableCount = 0
    /// Variables that the clause has used so far.
    var usedVariables: Set<Name> = []
    /// Full-text indexes by their names in MATCH, with their names in SQL.
    var matches: [Name: String] = [:]
    var matchTables: [(table: String, name: String, source: String)] = []
    var depth = 0
    /// Whether booleans must differ from 1 and 0 in the present part.
    var keepsBooleans = false
    /// Bytes of SQL that are repeated because clauses use a column by its alias.
    var repeatedBytes = 0
    /// The test for rows that cannot be among the first, if the outermost statement needs only these.
    var firstRows: TranslatedQuery.FirstRowsParameter?
    /// Whether the SQL is for an index.
    private(set) var isOfIndex = false
    /// Whether it is an expression of an index of SQLite's own, which has no statements inside.
    private(set) var isOfValueIndex = false

    private init(_ environment: any QueryEnvironment) { self.environment = environment }

    package static func translate(
        _ statement: SelectStatement, environment: any QueryEnvironment
    ) throws -> TranslatedQuery {
        var translator = StatementTranslator(environment)
        let (sql, columns) = try translator.select(statement, isOutermost: true)
        return TranslatedQuery(
            sql: sql, columns: columns, parameters: translator.parameters, collections: translator.collections,
            mayFail: statement.mayFail, firstRows: translator.firstRows)
    }

    /// For expressions of an index over the table of a collection.
    ///
    /// - Parameter row: the name of the table's row.
    init(forIndexOf collection: String, row: String = "") {
        self.init(EmptyEnvironment())
        isOfIndex = true
        isOfValueIndex = row.isEmpty
        scope.sources = [
            TranslatedSource(
                content: .collection(0, hasScope: false), alias: collection, columnName: nil, table: row,
                hasOwnAlias: true)
        ]
    }

    /// For expressions of the elements that a table has in its column `value`.
    init(forElements table: String) {
        self.init(EmptyEnvironment())
        isOfIndex = true
        scope.sources = [
            TranslatedSource(content: .elements, alias: "", columnName: nil, table: table, hasOwnAlias: true)
        ]
    }

    mutating func sqlOfIndex(_ expression: QueryExpression) throws -> String {
        usedVariables = []
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
        usedVariables = []
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

    mutating func select(
        _ statement: SelectStatement, isOutermost: Bool = false
    ) throws -> (sql: String, columns: [TranslatedQuery.Column]) {
        try check(statement)
        let outer = scope
        defer { scope = outer }
        scope = TranslationScope()
        scope.variables = outer.variables
        scope.variablesOfColumns = outer.variables
        scope.hasOneExtreme = statement.hasOneExtreme
        scope.sources = try statement.sources.map { source throws in try declare(source) }
        for index in scope.sources.indices {
            scope.sources[index].seesDeleted = statement.mentionsDeleted(scope.sources[index], in: scope)
        }
        try checkAliases(statement.columns)
        let outerMatches = matchTables
        matchTables = []
        defer { matchTables = outerMatches }
        try declareMatches(statement.condition)
        let columns = try translateColumns(statement)
        if outer.allowsProperties { scope.sources += outer.sources }
        let (from, joinConditions) = try translateSources(statement.sources)
        scope.seesAliases = true
        let condition = try translateCondition(statement.condition, hasJoins: statement.sources.count > 1)
        scope.seesAliases = false
        let arrayConditions = try arrayConditions(statement)
        scope.seesAliases = true
        let tail = try translateGroups(statement) + translateOrder(statement) + translateLimits(statement)
        let test = isOutermost ? try firstRowsTest(of: statement) : nil
        let conditions = joinConditions + (condition.map { [$0] } ?? []) + arrayConditions
        var sources = from
        for match in matchTables {
            sources += " JOIN \(match.table) AS \(match.name) ON \(match.name).rowid = \(match.source).sequence"
        }
        if let test { note(test, from: sources, conditions: conditions) }
        let all = (test.map { [$0.condition] } ?? []) + conditions
        let filter = all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND ")
        let column = test.map { ", \($0.column)" } ?? ""
        return ("\(columns.sql)\(column) FROM \(sources)\(filter)\(tail)", columns.columns)
    }

    private mutating func translateCondition(_ condition: QueryExpression?, hasJoins: Bool) throws -> String? {
        guard let condition else { return nil }
        usedVariables = []
        scope.allowsMatch = true
        scope.seesAliases = !hasJoins
        defer {
            scope.allowsMatch = false
            scope.seesAliases = true
        }
        return try sqlOfCondition(condition)
    }

    private mutating func translateGroups(_ statement: SelectStatement) throws -> String {
        guard !statement.grouping.isEmpty else { return "" }
        usedVariables = []
        let keys = try statement.grouping.map { try sqlOfKey($0, columns: statement.columns) }
        var sql = " GROUP BY " + keys.joined(separator: ", ")
        if let condition = statement.groupCondition {
            scope.allowsAggregates = true
            sql += " HAVING " + (try inner(condition))
            scope.allowsAggregates = false
        }
        return sql
    }

    private mutating func translateOrder(_ statement: SelectStatement) throws -> String {
        guard !statement.order.isEmpty else { return "" }
        usedVariables = []
        scope.allowsAggregates = statement.isGrouped
        defer { scope.allowsAggregates = false }
        let terms = try statement.order.map { term throws in
            try sqlOfKey(term.expression, columns: statement.columns) + (term.isDescending ? " DESC" : "")
        }
        return " ORDER BY " + terms.joined(separator: ", ")
    }

    /// A whole number means the column of that number, with its own order and groups; other constants have no effect, even
    /// a number by an alias. The SQL must not have a number here, since SQLite would read it as the number of a column.
    private mutating func sqlOfKey(_ expression: QueryExpression, columns: [ResultColumn]) throws -> String {
        if case .collated(let collation, let inner) = expression {
            return try sqlOfKey(inner, columns: columns) + " COLLATE \(collation.sqlName)"
        }
        let numbered = try expression.wholeNumber.map { number throws in
            guard number >= 1, number <= columns.count else {
                throw QueryError(
                    "ORDER BY and GROUP BY name column \(number), and there are columns 1 to \(columns.count)")
            }
            let column = columns[Int(number) - 1]
            return column.alias == nil ? column.expression.readAsColumn : column.expression
        }
        let meant = numbered ?? meaning(of: expression) ?? expression
        if meant.wholeNumber != nil { return "NULL" }
        let sql = try numbered.map { try column($0, path: QueryPath()) } ?? sql(expression)
        // SQLite replaces a condition that contains FALSE by 0, and would read this as the number of a column.
        return meant.isConjunction ? "\(sql) + 0" : sql
    }

    private mutating func translateLimits(_ statement: SelectStatement) throws -> String {
        guard statement.limit != nil || statement.offset != nil else { return "" }
        scope.allowsProperties = false
        defer { scope.allowsProperties = true }
        let limit = try statement.limit.map { "fb_limit(\(try inner($0)))" } ?? "-1"
        let offset = try statement.offset.map { " OFFSET fb_limit(\(try inner($0)))" } ?? ""
        return " LIMIT \(limit)\(offset)"
    }

    // MARK: Sources

    private mutating func declare(_ source: QuerySource) throws -> TranslatedSource {
        guard sourceCount < QueryLimits.sources else {
            throw QueryError("More than \(QueryLimits.sources) sources")
        }
        let table = "s\(sourceCount)"
        sourceCount += 1
        switch source.content {
        case .collection(let parts):
            let (id, name) = try find(parts)
            collections.insert(id)
            return TranslatedSource(
                content: .collection(id, hasScope: parts.count > 1), alias: source.alias ?? name,
                columnName: (source.alias ?? name) == "_" ? nil : source.alias ?? name, table: table,
                hasOwnAlias: source.alias != nil || parts.count == 1)
        case .elements(let list):
            guard case .property(let path) = list else {
                throw QueryError(
                    "the use of a general expression as the object of UNNEST is not supported; "
                        + "only a property path is allowed.")
            }
            let name = source.alias ?? path.lastKey ?? ""
            return TranslatedSource(
                content: .elements, alias: name, columnName: name, table: table, hasOwnAlias: true)
        }
    }

    private func find(_ parts: [String]) throws -> (id: Int64, name: String) {
        let written = parts.joined(separator: ".")
        guard let last = parts.last else { throw QueryError("no such collection \"\"") }
        if parts.count == 1, last == "_" || last.isExactly(environment.databaseName) {
            return (try environment.collection(.default) ?? 0, last)
        }
        let name: CollectionName
        do throws(NameError) {
            name = try parts.count == 1 ? CollectionName(name: last) : CollectionName(scope: parts[0], name: last)
        } catch {
            // A point within a part is written with a backslash.
            let shown = parts.map { $0.utf8.split(separator: 0x2E, omittingEmptySubsequences: false) }
                .map { $0.map { String(Substring($0)) }.joined(separator: "\\.") }.joined(separator: ".")
            throw QueryError("\"\(shown)\" is not a valid collection name")
        }
        guard let id = try environment.collection(name) else {
            if parts.count == 2, parts[0].isExactly(environment.databaseName) {
                throw QueryError("\"\(written)\" is not a valid collection name")
            }
            throw QueryError("no such collection \"\(written)\"")
        }
        return (id, last)
    }

    /// No two sources or columns of a statement may have the same name.
    private func checkAliases(_ columns: [ResultColumn]) throws {
        var seen: Set<Name> = []
        for source in scope.sources {
            guard seen.insert(Name(source.alias)).inserted else {
                throw QueryError("duplicate collection alias '\(source.alias)'")
            }
        }
        for alias in columns.compactMap(\.alias) where !seen.insert(Name(alias)).inserted {
            throw QueryError("duplicate collection alias '\(alias)'")
        }
    }

    private mutating func translateSources(_ sources: [QuerySource]) throws -> (from: String, conditions: [String]) {
        var from = ""
        var conditions: [String] = []
        for (index, source) in sources.enumerated() {
            let declared = scope.sources[index]
            let live = liveCondition(declared)
            switch source.joining {
            case .first:
                from += tableName(declared)
                conditions += live
            case .inner, .cross:
                if source.joining == .cross, source.condition != nil {
                    throw QueryError("CROSS JOIN cannot accept an ON clause")
                }
                if source.joining == .inner, source.condition == nil {
                    throw QueryError("FROM item needs an ON clause to be a join")
                }
                from += " JOIN \(tableName(declared))"
                conditions += live
                if let condition = source.condition { conditions.append(try joinCondition(condition)) }
            case .left:
                guard let condition = source.condition else {
                    throw QueryError("FROM item needs an ON clause to be a join")
                }
                let all = live + [try joinCondition(condition)]
                from += " LEFT JOIN \(tableName(declared)) ON \(all.joined(separator: " AND "))"
            case .unnest:
                guard case .elements(.property(let path)) = source.content else { continue }
                guard let first = path.firstKey, scope.sources[..<index].contains(where: { $0.alias.isExactly(first) })
                else {
                    throw QueryError(
                        "property '\(path.plainText)' does not begin with a declared 'AS' alias")
                }
                from += " JOIN fb_each(\(try translatedList(.property(path)).arguments)) AS \(declared.table)"
            }
        }
        return (from, conditions)
    }

    private mutating func joinCondition(_ condition: QueryExpression) throws -> String {
        usedVariables = []
        return try sqlOfCondition(condition)
    }

    private func tableName(_ source: TranslatedSource) -> String {
        guard case .collection(let id, _) = source.content else { return source.table }
        return "documents_\(id) AS \(source.table)"
    }

    /// Deleted documents are seen only if the query asks for them, expired ones never.
    private func liveCondition(_ source: TranslatedSource) -> [String] {
        guard source.isCollection else { return [] }
        let time = "?\(TranslatedQuery.timeParameter)"
        let expired = "(\(source.table).expiration IS NULL OR \(source.table).expiration > \(time))"
        return source.seesDeleted ? [expired] : ["\(source.table).flags & 1 = 0", expired]
    }

    // MARK: Parameters

    mutating func parameter(_ name: String) throws -> String {
        if let number = parameters[Name(name)] { return "?\(number)" }
        guard parameters.count < QueryLimits.parameters else {
            throw QueryError("More than \(QueryLimits.parameters) parameters")
        }
        let number = parameters.count + 1 + TranslatedQuery.timeParameter
        parameters[Name(name)] = number
        return "?\(number)"
    }
}

extension QueryPath {
    /// The name in errors.
    var plainText: String { text.droppingExactPrefix(".") ?? text }
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
        return aggregates[0] == "MAX" || aggregates[0] == "MIN"
    }
}

extension QueryExpression {
    fileprivate var isConjunction: Bool {
        switch self {
        case .binary(.and, _, _), .quantified(.anyAndEvery, _, _, _): true
        default: false
        }
    }

    /// Of a constant that is one, also with a sign.
    var wholeNumber: Int64? {
        switch self {
        case .literal(.number):
            if case .literal(let value) = self, case .integer(let number) = QueryValue(value) { number } else { nil }
        case .unary(.negate, let inner): inner.wholeNumber.map { 0 &- $0 }
        default: nil
        }
    }
}
