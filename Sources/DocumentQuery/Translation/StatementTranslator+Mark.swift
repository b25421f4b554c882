import DocumentValues

/// The statement by which a live query finds out whether documents that it reads have changed.
extension StatementTranslator {
    /// A statement with one value, a text, which depends on the sequences of all documents that the rows of `statement` are of.
    /// A change gives a document another sequence, so as long as the text is the same, the rows are the same.
    ///
    /// - Returns: `nil` where the rows depend on more than the documents that they are of.
    package static func mark(
        of statement: SelectStatement, environment: any QueryEnvironment
    ) throws -> TranslatedQuery? {
        guard statement.isOfItsDocuments else { return nil }
        var translator = StatementTranslator(environment, target: .query)
        let sql = try translator.mark(of: statement)
        return TranslatedQuery(
            sql: sql, columns: [], parameters: translator.parameters, collections: translator.collections,
            mayFail: false,
            firstRows: nil)
    }

    private mutating func mark(of statement: SelectStatement) throws -> String {
        try openScope(of: statement)
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
}

extension SelectStatement {
    /// Whether the documents of its rows decide what the rows are. An element of an array takes as long to find as the query
    /// does, so UNNEST is left out, and so is a query of all documents.
    fileprivate var isOfItsDocuments: Bool {
        let areCollections = sources.allSatisfy { if case .collection = $0.content { true } else { false } }
        let selects = condition != nil || sources.count > 1
        return areCollections && selects && !expressions.contains { $0.contains(\.looksElsewhere) }
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
