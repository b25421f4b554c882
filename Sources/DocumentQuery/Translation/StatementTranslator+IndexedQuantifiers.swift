import DocumentValues

/// ANY and EVERY in indexes of values, and in the queries that find them there.
extension StatementTranslator {
    /// An ANY or EVERY as an index of values has it.
    struct IndexedQuantifier {
        let sql: String
        /// Whether an index has it as one of its expressions.
        let isExpression: Bool
        /// Whether it is in the condition of an index.
        let isInCondition: Bool
    }

    /// For the target `valueIndex`.
    mutating func callInIndex(_ expression: QueryExpression) throws -> String {
        let source = onlySource(of: expression) ?? 0
        let condition = try apart(source) { try $0.inner(expression) }
        return ConditionCall.text(condition, row: scope.sources[source].table)
    }

    /// Runs `write` for a statement of its own, of which the source is the only row.
    private mutating func apart<Value>(
        _ source: Int, write: (inout StatementTranslator) throws -> Value
    ) rethrows -> Value {
        let outside = (target: target, table: scope.sources[source].table, clause: clause, variables: variableCount)
        target = .indexTable
        scope.sources[source].table = ConditionCall.row
        clause.keepsBooleans = false
        clause.allowsAggregates = false
        variableCount = 0
        defer {
            target = outside.target
            scope.sources[source].table = outside.table
            clause.keepsBooleans = outside.clause.keepsBooleans
            clause.allowsAggregates = outside.clause.allowsAggregates
            variableCount = outside.variables
        }
        return try write(&self)
    }

    /// `nil` where no index of values has the expression: then it is a search in the elements.
    mutating func indexedQuantifier(_ expression: QueryExpression) throws -> IndexedQuantifier? {
        guard target == .query, scope.variables.isEmpty, clause.allowsProperties, expression.canBeIndexed,
            let source = onlySource(of: expression), case .collection(let id, _) = scope.sources[source].content
        else { return nil }
        let indexes = try indexedExpressions(of: id)
        guard indexes.haveQuantifiers else { return nil }
        let indexed = try asInIndex(expression, source: source)
        guard indexes.haveAsPart(indexed) else { return nil }
        return IndexedQuantifier(
            sql: try asInIndex(expression, source: source, table: scope.sources[source].table),
            isExpression: indexes.contain(indexed), isInCondition: indexes.haveInCondition(indexed))
    }

    /// A condition that SQLite finds in an index, where it looks for values that are compared, and not for true ones.
    mutating func indexedTruth(_ expression: QueryExpression) throws -> String? {
        let (quantified, isTrue): (QueryExpression, Bool) =
            if case .unary(.not, let inner) = expression { (inner, false) } else { (expression, true) }
        guard case .quantified = quantified, let index = try indexedQuantifier(quantified), index.isExpression else {
            return nil
        }
        let sql = try sql(quantified)
        let search = "\(sql) = \(isTrue ? 1 : 0)"
        // The condition of a partial index has to be in the query as it is in the index.
        return isTrue && index.isInCondition ? "\(sql) AND \(search)" : search
    }

    /// The source that all paths of the expression are in; `nil` if there is none, or another than a collection.
    private func onlySource(of expression: QueryExpression) -> Int? {
        let found: Int?
        if scope.hasSeveralSources {
            let names = expression.firstNames(besides: [])
            guard let name = names.first, names.count == 1 else { return nil }
            found = scope.sources.firstIndex { $0.alias.isExactly(name.text) }
        } else {
            found = scope.sources.indices.first
        }
        return found.flatMap { scope.sources[$0].isCollection ? $0 : nil }
    }
}

extension QueryExpression {
    /// The names with which its paths begin, without those of variables. An empty name is that of the only source.
    fileprivate func firstNames(besides variables: Set<Name>) -> Set<Name> {
        switch self {
        case .property(let path): Set([Name(path.firstKey ?? "")]).subtracting(variables)
        case .meta(let alias, _), .all(let alias): [Name(alias ?? "")]
        case .quantified(_, let variable, let list, let condition):
            list.firstNames(besides: variables)
                .union(condition.firstNames(besides: variables.union([Name(variable)])))
        default: children.reduce(into: Set<Name>()) { $0.formUnion($1.firstNames(besides: variables)) }
        }
    }
}
