import DocumentValues

/// The statement by which a live query finds out whether documents that it reads have changed.
extension StatementTranslator {
    /// A statement with one value, a text, which depends on the sequences of all documents that the rows of `statement` are of.
    /// A change gives a document another sequence, so as long as the text is the same, the rows are the same.
    ///
    /// LIMIT has no effect on it.
    ///
    /// - Returns: `nil` where the rows depend on more than the documents that they are of, or SQLite finds them without reading
    ///   all of these.
    package static func mark(
        of statement: SelectStatement, environment: any QueryEnvironment
    ) throws -> TranslatedQuery? {
        guard statement.isOfItsDocuments else { return nil }
        var translator = StatementTranslator(environment, target: .query)
        guard let sql = try translator.mark(of: statement) else { return nil }
        return TranslatedQuery(
            sql: sql, columns: [], parameters: translator.parameters, collections: translator.collections,
            mayFail: false, firstRows: nil)
    }

    private mutating func mark(of statement: SelectStatement) throws -> String? {
        try openScope(of: statement)
        guard try !hasIndexedExtreme(statement) else { return nil }
        // The condition may use the aliases of the columns.
        _ = try translateColumns(statement)
        let (from, joinConditions) = try translateSources(statement.sources)
        let conditions =
            try joinConditions + translateCondition(statement.condition, hasJoins: statement.sources.count > 1)
        // So that their parameters are known.
        _ = try translateGroups(statement) + translateOrder(statement) + translateLimits(statement)
        let sequences = scope.sources.map { $0.column("sequence") }.joined(separator: ", ")
        let filter = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        return "SELECT fb_fingerprint(\(sequences)) FROM \(from)\(filter)"
    }

    /// Whether the only aggregate function is a MAX or MIN of what an index has in order: SQLite reads a document there.
    private mutating func hasIndexedExtreme(_ statement: SelectStatement) throws -> Bool {
        guard scope.hasOneExtreme, !scope.hasSeveralSources, case .collection(let id, _)? = scope.sources.first?.content
        else { return false }
        let indexes = try indexedExpressions(of: id)
        return try statement.aggregated.contains { value throws in
            try value.canBeIndexed && indexes.contain(asInIndex(value, source: 0, clause: .columns))
        }
    }
}

extension SelectStatement {
    /// Whether the documents of its rows decide what the rows are. To find the elements of arrays takes as long as the query
    /// does, so UNNEST is left out, and so is a query of all documents.
    fileprivate var isOfItsDocuments: Bool {
        let areCollections = sources.allSatisfy { if case .collection = $0.content { true } else { false } }
        let selects = condition != nil || sources.count > 1
        return areCollections && selects && !expressions.contains { $0.contains(\.looksElsewhere) }
    }
}

extension SelectStatement {
    /// What its columns have aggregate functions of.
    fileprivate var aggregated: [QueryExpression] {
        var found: [QueryExpression] = []
        for column in columns {
            _ = column.expression.contains { part in
                if case .aggregate(_, let arguments, _) = part { found += arguments }
                return false
            }
        }
        return found
    }
}

extension QueryExpression {
    /// At deleted documents, at an index of words, at other collections, or at what changes without a new sequence.
    fileprivate var looksElsewhere: Bool {
        switch self {
        case .match, .rank, .exists: true
        case .meta(_, let key): key == nil || key == "deleted" || key == "expiration"
        case .property(let path): path.lastKey == "_deleted"
        case .missing, .literal, .parameter, .variable, .array, .object, .nested, .unary, .binary, .between, .among,
            .like, .test, .quantified, .choice, .call, .aggregate, .all, .collated:
            false
        }
    }
}
