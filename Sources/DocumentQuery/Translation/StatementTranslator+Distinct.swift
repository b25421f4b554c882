import DocumentValues

/// SELECT DISTINCT of one property, with an index of it: SQLite goes from each key of the index to the next one, and reads a
/// document for each key. In an index booleans are 1 and 0, so for these two keys it looks for booleans and for numbers.
extension StatementTranslator {
    /// The statement without its LIMIT; `nil` where the index does not help, or its keys are not the rows.
    mutating func distinctKeys(
        _ statement: SelectStatement, from sources: String, conditions: [String]
    ) throws -> String? {
        guard statement.isDistinct, !statement.isGrouped, statement.columns.count == 1, statement.order.count <= 1,
            statement.sources.count == 1, !scope.hasSeveralSources, scope.searches.isEmpty,
            statement.condition?.isShallow != false, case .collection(let id, _) = scope.sources[0].content,
            let column = documentProperty(statement.columns[0].read, in: .columns),
            statement.order.allSatisfy({ documentProperty(of: $0)?.path == column.path }),
            try indexedExpressions(of: id).begin(with: asInIndex(column, source: 0))
        else { return nil }
        let arguments = "(\(column.document), \(SQLText.quoted(column.path.text)))"
        let filter = "FROM \(sources) WHERE \(conditions.joined(separator: " AND "))"
        let kind = """
            EXISTS (SELECT 1 \(filter) AND fb_value\(arguments) = d.value \
            AND fb_isboolean(fb_part\(arguments)) = k.column1)
            """
        let order = statement.order.first.map { " ORDER BY d.value\($0.isDescending ? " DESC" : "")" } ?? ""
        return """
            SELECT CASE WHEN k.column1 THEN fb_result(fb_boolean(d.value)) ELSE d.value END \
            FROM (SELECT DISTINCT fb_value\(arguments) AS value \(filter)) AS d CROSS JOIN (VALUES (0), (1)) AS k \
            WHERE CASE WHEN d.value IN (0, 1) THEN \(kind) ELSE k.column1 = 0 END\(order)
            """
    }
}

extension ResultColumn {
    fileprivate var read: QueryExpression { alias == nil ? expression.readAsColumn : expression }
}

extension QueryExpression {
    /// Whether there is room around it for another statement: SQLite has a limit for expressions inside each other.
    fileprivate var isShallow: Bool {
        var (level, count) = ([self], 0)
        while !level.isEmpty {
            count += 1
            let hasStatement = level.contains { if case .exists = $0 { true } else { false } }
            guard count <= 12, !hasStatement else { return false }
            level = level.flatMap(\.children)
        }
        return true
    }
}
