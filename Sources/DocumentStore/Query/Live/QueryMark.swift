import DocumentQuery
import DocumentValues
import GRDB
import SQLiteStorage

/// Which documents a query is of, as far as an index finds them: how many fit its condition, and the newest of them.
///
/// A change gives a document a higher sequence than all others, and a document that does not fit any more lowers the count.
/// If both numbers are the same, so are the documents.
struct QueryMark: Sendable {
    /// The parameters of the condition; they never change once the query has them.
    fileprivate let parameters: Parameters?
    fileprivate let collections: Set<Int64>
    fileprivate let documents: [ResultRow.Value]

    func isSame(as other: QueryMark) -> Bool {
        parameters === other.parameters && collections == other.collections && documents == other.documents
    }
}

extension Query {
    /// `nil` where no index finds the documents: then looking for them takes as long as running the query.
    func mark() throws -> QueryMark? {
        guard let statement = built.statement.countingItsDocuments else { return nil }
        let parameters = boundParameters
        return try database().core().snapshot { db in
            do { return try mark(statement, parameters: parameters, db) } catch {
                // The run reports errors of the query; here an error only means that there is no mark.
                guard error is QueryError || error is DatabaseError else { throw error }
                return nil
            }
        }
    }

    private func mark(
        _ statement: SelectStatement, parameters: Parameters?, _ db: GRDB.Database
    ) throws -> QueryMark? {
        let translated = try StatementTranslator.translate(
            statement, environment: StoreQueryEnvironment(db: db, databaseName: built.database?.name ?? ""))
        let plan = try RawStatement(uncached: "EXPLAIN QUERY PLAN \(translated.sql)", db).all { $0.text(3) }
        guard !plan.contains(where: { $0.hasPrefix("SCAN") }) else { return nil }
        let counting = try RawStatement(uncached: translated.sql, db)
        try QueryBinding.bind(parameters?.all ?? [:], of: translated, to: counting)
        let row = try RowReader.rows(counting, columns: translated.columns, count: 1).first
        counting.reset()
        return QueryMark(
            parameters: parameters, collections: translated.collections, documents: Array(row?.values.prefix(2) ?? []))
    }

    /// The rows with the mark of the same state.
    func markedSnapshot() throws -> (mark: QueryMark?, snapshot: QuerySnapshot) {
        try database().core().snapshot { _ in (mark: try mark(), snapshot: try snapshot()) }
    }
}

extension SelectStatement {
    /// How many documents fit the condition, and the highest sequence among them; `nil` for a query whose rows depend on more
    /// than those of one collection that fit a condition.
    fileprivate var countingItsDocuments: SelectStatement? {
        guard sources.count == 1, condition != nil, grouping.isEmpty, groupCondition == nil,
            !expressions.contains(where: { $0.contains(\.looksElsewhere) })
        else { return nil }
        let count = QueryExpression.aggregate("COUNT", [], isDistinct: false)
        let newest = QueryExpression.aggregate("MAX", [.meta(alias: nil, key: "sequence")], isDistinct: false)
        // The condition may use the aliases of the columns.
        return SelectStatement(
            columns: [ResultColumn(count), ResultColumn(newest)] + columns, sources: sources, condition: condition)
    }
}

extension QueryExpression {
    /// At deleted documents, at an index of words, or at other collections.
    fileprivate var looksElsewhere: Bool {
        switch self {
        case .match, .rank, .exists: true
        case .meta(_, let key): key == nil || key == "deleted"
        case .property(let path): path.lastKey == "_deleted"
        case .missing, .literal, .parameter, .variable, .array, .object, .nested, .unary, .binary, .between, .among,
            .like, .test, .quantified, .choice, .call, .aggregate, .all, .collated:
            false
        }
    }
}
