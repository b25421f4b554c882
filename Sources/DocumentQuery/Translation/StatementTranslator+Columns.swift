import DocumentValues

extension StatementTranslator {
    mutating func translateColumns(
        _ statement: SelectStatement
    ) throws -> (sql: String, columns: [TranslatedQuery.Column]) {
        clause = .columns
        var names = ColumnNames()
        var columns: [TranslatedQuery.Column] = []
        var parts: [String] = []
        for column in statement.columns {
            let expression = column.alias == nil ? column.expression.readAsColumn : column.expression
            let (sql, kind) = try translateColumn(
                expression, hasAlias: column.alias != nil, isDistinct: statement.isDistinct)
            let name = names.add(column.alias ?? columnName(expression))
            columns.append(TranslatedQuery.Column(name: name, kind: kind))
            parts.append(sql)
        }
        for column in statement.columns {
            if let alias = column.alias { scope.aliases[Name(alias)] = column.expression }
        }
        return ("SELECT \(statement.isDistinct ? "DISTINCT " : "")" + parts.joined(separator: ", "), columns)
    }

    private mutating func translateColumn(
        _ expression: QueryExpression, hasAlias: Bool, isDistinct: Bool
    ) throws -> (sql: String, kind: TranslatedQuery.Kind) {
        if case .all(let alias) = expression { return (try body(of: alias), .document) }
        if case .property(let path) = expression, let document = try wholeDocument(path) {
            return (document, .document)
        }
        if !hasAlias, expression.isTruth { return (try inner(expression), .boolean) }
        if !isDistinct, case .property(let path) = expression, scope.variables[Name(path.firstKey ?? "")] == nil,
            let (document, inner) = document(of: path)
        {
            return ("fb_out(\(document), \(SQLText.quoted(inner.text)))", .value)
        }
        clause.keepsBooleans = !isDistinct || expression.mayBeBoolean
        defer { clause.keepsBooleans = false }
        let sql = try inner(expression)
        return (expression.mayBeBoolean ? "fb_result(\(sql))" : sql, .value)
    }

    /// The document, if the path is only the name of a source.
    private func wholeDocument(_ path: QueryPath) throws -> String? {
        guard path.steps.count == 1, let name = path.firstKey, scope.variables[Name(name)] == nil,
            let source = scope.source(name), source.isCollection
        else { return nil }
        return bodyColumn(source)
    }

    /// `nil` for columns that are numbered.
    private func columnName(_ expression: QueryExpression) -> String? {
        switch expression {
        case .property(let path):
            if path.steps.count == 1, let name = path.firstKey, let source = scope.source(name) {
                return source.columnName
            }
            // The alias `_` gives no name to a column, nor do paths behind it.
            if path.firstKey == "_", scope.source("_") != nil { return nil }
            if path.steps.count == 1, path.isMetaProperty { return path.lastKey.map { String($0.dropFirst()) } }
            return path.lastKey
        case .meta(_, let key): return key
        case .all(let alias):
            if let alias, scope.source(alias) == nil { return alias }
            guard let alias else { return scope.sources.first?.alias }
            return scope.source(alias)?.columnName
        default: return nil
        }
    }
}

/// Gives columns their names: columns without one are numbered, and so are repeated names.
private struct ColumnNames {
    private var unnamed = 0
    private var counts: [Name: Int] = [:]

    mutating func add(_ name: String?) -> String {
        let base: String
        if let name {
            base = name
        } else {
            unnamed += 1
            base = "$\(unnamed)"
        }
        let count = (counts[Name(base)] ?? 0) + 1
        counts[Name(base)] = count
        return count == 1 ? base : "\(base) #\(count)"
    }
}

extension QueryExpression {
    /// A text alone in the list of columns is a property.
    var readAsColumn: QueryExpression {
        guard case .literal(.string(let text)) = self, let path = QueryPath(parsing: text) else { return self }
        return .property(path)
    }

    /// Whether a column of it, without an alias, is true or false.
    var isTruth: Bool {
        switch self {
        case .binary(let operation, _, _): operation.isComparison || operation == .and || operation == .or
        case .unary(let operation, _): operation == .not
        case .between: true
        case .among(_, _, let isNegated), .like(_, _, let isNegated): isNegated
        case .test(_, let test, let isNegated): test != .valued || isNegated
        case .quantified(let quantifier, let variable, _, let condition):
            quantifier != .any || condition.isEquality(with: variable)
        case .collated(_, let inner):
            if case .binary = inner { inner.isTruth } else { false }
        default: false
        }
    }

    /// `x = c`: an ANY with such a condition is always true or false.
    func isEquality(with variable: String) -> Bool {
        guard case .binary(.equal, .property(let path), let other) = self else { return false }
        return path.steps.count == 1 && path.firstKey?.isExactly(variable) == true && !other.uses(variable)
    }

    /// Whether its value may be a boolean, or of another type that SQLite does not have.
    var mayBeBoolean: Bool {
        switch self {
        case .unary, .binary, .between, .among, .like, .test: false
        case .literal(.number), .literal(.string), .missing: false
        case .aggregate(let name, _, _): FunctionCatalog.result(ofAggregate: name) != .number
        case .meta(_, let key): key == nil
        case .call(let name, _): FunctionCatalog.mayBeBoolean(name)
        default: true
        }
    }
}

extension QueryPath {
    var isMetaProperty: Bool { ["_id", "_sequence", "_deleted"].contains(firstKey ?? "") }
}
