import DocumentValues

/// The clauses that select, group and order the rows.
extension StatementTranslator {
    /// - Returns: one condition, or none.
    mutating func translateCondition(_ condition: QueryExpression?, hasJoins: Bool) throws -> [String] {
        guard let condition else { return [] }
        clause = .condition(hasJoins: hasJoins)
        return [try sqlOfCondition(condition)]
    }

    mutating func translateGroups(_ statement: SelectStatement) throws -> String {
        guard !statement.grouping.isEmpty else { return "" }
        clause = .grouping
        let keys = try statement.grouping.map { try sqlOfKey($0, columns: statement.columns) }
        var sql = " GROUP BY " + keys.joined(separator: ", ")
        if let condition = statement.groupCondition {
            (clause.kind, clause.allowsAggregates) = (.groupCondition, true)
            sql += " HAVING " + (try inner(condition))
        }
        return sql
    }

    mutating func translateOrder(_ statement: SelectStatement) throws -> String {
        guard !statement.order.isEmpty else { return "" }
        clause = .order(isGrouped: statement.isGrouped)
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

    mutating func translateLimits(_ statement: SelectStatement) throws -> String {
        guard statement.limit != nil || statement.offset != nil else { return "" }
        clause = .limits
        let limit = try statement.limit.map { "fb_limit(\(try inner($0)))" } ?? "-1"
        let offset = try statement.offset.map { " OFFSET fb_limit(\(try inner($0)))" } ?? ""
        return " LIMIT \(limit)\(offset)"
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
