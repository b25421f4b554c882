import DocumentValues

/// ORDER BY a property with LIMIT: if a document cannot be among the first rows, only that property of it is read. See
/// `FirstRows`.
extension StatementTranslator {
    /// Additions to a statement that test whether a row can be among the first.
    struct FirstRowsTest {
        /// The first condition of the statement, since it refuses more rows than any other.
        let condition: String
        /// The last column of the statement. SQLite computes it only for rows that meet all conditions; its value is
        /// not read.
        let column: String
        fileprivate let order: FirstRowsOrder
        fileprivate let collection: Int64
        fileprivate let sequence: String
        /// The numbers of the parameters of the test and of its sample.
        fileprivate let numbers: (test: Int, sample: Int)

        /// The parameter of the query, with the SQL of its sample.
        ///
        /// - Parameters:
        ///   - sources: of the statement.
        ///   - conditions: those of the statement, without that of the test.
        func parameter(from sources: String, conditions: [String]) -> TranslatedQuery.FirstRowsParameter {
            let sampled = ["\(sequence) > ?\(numbers.sample)"] + conditions
            return TranslatedQuery.FirstRowsParameter(
                order: order, number: numbers.test, sampleNumber: numbers.sample, collection: collection,
                sample: "SELECT \(column) FROM \(sources) WHERE \(sampled.joined(separator: " AND "))")
        }
    }

    /// `nil` if all rows have to be read, such as for groups, or for an expression that may fail for a document; also if an
    /// index already has the rows in their order.
    mutating func firstRowsTest(of statement: SelectStatement) throws -> FirstRowsTest? {
        guard !statement.isDistinct, !statement.isGrouped, !statement.mayFail, statement.sources.count == 1,
            statement.columns.count < QueryLimits.columns, let count = statement.countOfFirstRows,
            let term = statement.order.first,
            let property = documentProperty(of: term), case .collection(let collection, _) = scope.sources[0].content,
            try !indexedExpressions(of: collection).contain(asInIndex(property, source: 0))
        else { return nil }
        let order = FirstRowsOrder(
            path: property.path, isDescending: term.isDescending, count: count, hasMoreTerms: statement.order.count > 1)
        let numbers = (test: newParameter(), sample: newParameter())
        let sequence = scope.sources[0].column("sequence")
        return FirstRowsTest(
            condition: "fb_may_be_first(\(property.document), ?\(numbers.test))",
            column: "fb_note_first(\(property.document), \(sequence), ?\(numbers.test))", order: order,
            collection: collection, sequence: sequence, numbers: numbers)
    }
}

extension SelectStatement {
    /// The sum of LIMIT and OFFSET, if both are constants and it is small.
    fileprivate var countOfFirstRows: Int? {
        guard let limit = limit?.wholeNumber, limit > 0, limit <= QueryLimits.firstRows else { return nil }
        guard let offset else { return Int(limit) }
        guard let skipped = offset.wholeNumber, skipped >= 0, skipped <= Int64(QueryLimits.firstRows) - limit else {
            return nil
        }
        return Int(limit + skipped)
    }
}
