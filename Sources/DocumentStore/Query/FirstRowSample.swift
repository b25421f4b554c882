import DocumentQuery
import DocumentValues
import GRDB
import SQLiteStorage

/// The newest documents that meet the condition of a query. They are noted before it runs, so that it can refuse most
/// of the others at once.
struct FirstRowSample {
    let query: TranslatedQuery
    let values: [Name: NodeValue]

    /// - Parameter statement: with its values already bound. So its time is not later than the sample's, and a document
    ///   that has not expired for the sample has not expired for the statement.
    func note(
        _ first: TranslatedQuery.FirstRowsParameter, for statement: RawStatement, _ db: GRDB.Database
    ) throws {
        var rows = FirstRows(first.order)
        if let sequence = try beginning(of: first, db) {
            let sample = try RawStatement(uncached: first.sample, db)
            try QueryBinding.bind(values, of: query, to: sample)
            sample.bind(Int32(first.sampleNumber), to: sequence)
            try FirstRowFunctions.lend(&rows, to: sample, at: Int32(first.number))
            rows.endSample(above: sequence)
        }
        FirstRowFunctions.bind(rows, to: statement, at: Int32(first.number))
    }

    /// The sequence behind which the sample begins; `nil` if there are too few documents for a sample.
    private func beginning(of first: TranslatedQuery.FirstRowsParameter, _ db: GRDB.Database) throws -> Int64? {
        let query = try RawStatement("SELECT max(sequence) FROM documents_\(first.collection)", db)
        let last = try query.first { $0.int64(0) } ?? 0
        let count = Int64(first.order.count * QueryLimits.sampledRows)
        return last / Int64(QueryLimits.shareOfSample) < count ? nil : last - count
    }
}
