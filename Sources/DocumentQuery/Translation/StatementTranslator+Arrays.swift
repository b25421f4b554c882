import DocumentValues

/// UNNEST with an index of the array: the rows are the same as without it, but documents without such an element are
/// skipped, because the index shows which these are.
extension StatementTranslator {
    mutating func arrayConditions(_ statement: SelectStatement) throws -> [String] {
        guard let condition = statement.condition else { return [] }
        clause = .join
        var conditions: [String] = []
        for index in scope.sources.indices.prefix(statement.sources.count) {
            guard let (root, collection, paths) = unnesting(index, sources: statement.sources) else { continue }
            for table in try environment.arrayIndexes(collection: collection) where table.index.paths == paths {
                for part in condition.conjuncts {
                    guard let test = try indexTest(part, of: table, source: index) else {
                        continue
                    }
                    conditions.append("\(root).sequence IN (SELECT document FROM \(table.table) WHERE \(test))")
                }
            }
        }
        return conditions
    }

    /// The collection that the elements of a source are in, and the paths to them.
    private func unnesting(
        _ index: Int, sources: [QuerySource]
    ) -> (root: String, collection: Int64, paths: [QueryPath])? {
        guard case .elements(.property(let path)) = sources[index].content, let first = path.firstKey,
            let outer = scope.sources[..<index].firstIndex(where: { $0.alias.isExactly(first) })
        else { return nil }
        switch scope.sources[outer].content {
        case .collection(let collection, _): return (scope.sources[outer].table, collection, [path.dropFirst()])
        case .elements:
            guard let (root, collection, paths) = unnesting(outer, sources: sources) else { return nil }
            return (root, collection, paths + [path.dropFirst()])
        }
    }

    /// The condition of the index's rows that follows from one of the query; `nil` where none does.
    private mutating func indexTest(
        _ condition: QueryExpression, of table: ArrayIndexTable, source: Int
    ) throws -> String? {
        switch condition {
        case .binary(let operation, let left, let right):
            guard let mirrored = operation.mirrored else { return nil }
            if right.isConstant, try isKey(left, of: table, source: source) {
                return "c0 \(operation.rawValue) \(try sql(right))"
            }
            if left.isConstant, try isKey(right, of: table, source: source) {
                return "c0 \(mirrored.rawValue) \(try sql(left))"
            }
            return nil
        case .between(let value, let low, let high, isNegated: false):
            guard low.isConstant, high.isConstant, try isKey(value, of: table, source: source) else { return nil }
            return "c0 BETWEEN \(try sql(low)) AND \(try sql(high))"
        default: return nil
        }
    }

    /// Whether the expression is the first one of the index.
    private func isKey(_ expression: QueryExpression, of table: ArrayIndexTable, source: Int) throws -> Bool {
        guard expression.canBeIndexed, !expression.contains({ if case .quantified = $0 { true } else { false } }) else {
            return false
        }
        let indexed = try asInIndex(
            expression, source: source, target: .indexTable, table: TranslatedArrayIndex.element)
        return indexed.isExactly(table.index.expressions[0])
    }
}

extension QueryExpression {
    /// The parts that AND joins at the top.
    var conjuncts: [QueryExpression] {
        var parts: [QueryExpression] = []
        var rest = [self]
        while let next = rest.popLast() {
            if case .binary(.and, let left, let right) = next { rest += [left, right] } else { parts.append(next) }
        }
        return parts
    }

    /// Whether the value is the same for all rows.
    var isConstant: Bool {
        !contains { part in
            switch part {
            case .missing, .literal, .parameter, .array, .object, .nested, .unary, .binary, .between, .among, .like,
                .test, .choice, .call, .collated:
                false
            case .property, .variable, .quantified, .aggregate, .meta, .all, .match, .rank, .exists: true
            }
        }
    }
}

extension BinaryOperator {
    /// The operator with its sides exchanged; `nil` for operators for which an index does not help.
    fileprivate var mirrored: BinaryOperator? {
        switch self {
        case .equal, .same: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .multiply, .divide, .modulo, .add, .subtract, .concatenate, .unequal, .notSame, .and, .or: nil
        }
    }
}
