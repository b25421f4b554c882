import DocumentValues

/// What the indexes of a collection's values have, to find out whether an index has an expression of a query. The expression
/// is given in SQL as `StatementTranslator.asInIndex` writes it: an index with the same SQL has its value.
struct IndexedExpressions {
    private let indexes: [TranslatedValueIndex]
    /// Whether there is an ANY or EVERY in any of them.
    let haveQuantifiers: Bool

    init(_ indexes: [TranslatedValueIndex]) {
        self.indexes = indexes
        haveQuantifiers = indexes.contains { $0.isPart("\(ConditionCall.function)(") || $0.isPart("fb_any_equal(") }
    }

    /// Whether it is one of the expressions of an index, in any position, also of an index of some documents only.
    func contain(_ sql: String) -> Bool { indexes.contains { $0.expressions.containsExactly(sql) } }

    /// Whether an index of all documents begins with it.
    func begin(with sql: String) -> Bool {
        indexes.contains { $0.condition == nil && $0.expressions.first?.isExactly(sql) == true }
    }

    /// Whether it is a part of the condition of an index.
    func haveInCondition(_ sql: String) -> Bool {
        indexes.contains { $0.condition?.containsBytes(of: sql) == true }
    }

    /// Whether it is a part of an expression or of a condition.
    func haveAsPart(_ sql: String) -> Bool { indexes.contains { $0.isPart(sql) } }
}

extension TranslatedValueIndex {
    fileprivate func isPart(_ sql: String) -> Bool {
        (expressions + [condition].compactMap { $0 }).contains { $0.containsBytes(of: sql) }
    }
}

extension StatementTranslator {
    mutating func indexedExpressions(of collection: Int64) throws -> IndexedExpressions {
        if let known = indexedExpressions[collection] { return known }
        let found = IndexedExpressions(try environment.valueIndexes(collection: collection))
        indexedExpressions[collection] = found
        return found
    }

    /// A property of a source's documents as an index has it.
    func asInIndex(_ property: DocumentProperty, source: Int) throws -> String {
        try asInIndex(property.expression, source: source, clause: property.clause)
    }

    /// The expression as an index has it.
    ///
    /// - Parameters:
    ///   - source: whose documents or elements the index is of.
    ///   - clause: where the expression is; by default the present one.
    ///   - target: `valueIndex`, or `indexTable` for an index of elements.
    ///   - table: the name that the source has in the index.
    func asInIndex(
        _ expression: QueryExpression, source: Int, clause: ClauseState? = nil,
        target: TranslationTarget = .valueIndex, table: String = ""
    ) throws -> String {
        var translator = self
        translator.target = target
        if let clause { translator.clause = clause }
        translator.clause.keepsBooleans = false
        translator.clause.usedVariables = []
        translator.scope.sources[source].table = table
        return try translator.sql(expression)
    }
}

extension QueryExpression {
    /// Whether an index may have it, and a query may take its value from there.
    var canBeIndexed: Bool {
        !mayFail
            && !contains { part in
                switch part {
                case .parameter, .aggregate, .match, .rank, .exists: true
                case .missing, .literal, .property, .variable, .array, .object, .nested, .unary, .binary, .between,
                    .among, .like, .test, .quantified, .choice, .call, .meta, .all, .collated:
                    false
                }
            }
    }
}
