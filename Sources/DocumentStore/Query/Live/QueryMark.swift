import DocumentQuery
import DocumentValues
import GRDB
import SQLiteStorage

/// Of which revisions of documents the rows of a query are, as far as indexes find the documents.
struct QueryMark: Sendable {
    /// They never change once the query has them.
    fileprivate let parameters: Parameters?
    fileprivate let collections: Set<Int64>
    /// See `RowFingerprint`.
    fileprivate let fingerprint: String

    func isSame(as other: QueryMark) -> Bool {
        parameters === other.parameters && collections == other.collections
            && fingerprint.isExactly(other.fingerprint)
    }
}

extension Query {
    /// `nil` where no index finds the documents of each source: then looking for them takes as long as running the query.
    func mark() throws -> QueryMark? {
        let parameters = boundParameters
        return try database().core().snapshot { db in
            do { return try mark(parameters, db) } catch {
                // The run reports errors of the query; here an error only means that there is no mark.
                guard error is QueryError || error is DatabaseError else { throw error }
                return nil
            }
        }
    }

    private func mark(_ parameters: Parameters?, _ db: GRDB.Database) throws -> QueryMark? {
        let environment = StoreQueryEnvironment(db: db, databaseName: built.database?.name ?? "")
        guard let translated = try StatementTranslator.mark(of: built.statement, environment: environment) else {
            return nil
        }
        let plan = try RawStatement(uncached: "EXPLAIN QUERY PLAN \(translated.sql)", db).all { $0.text(3) }
        guard !plan.contains(where: \.readsAllRows) else { return nil }
        let marking = try RawStatement(uncached: translated.sql, db)
        try QueryBinding.bind(parameters?.all ?? [:], of: translated, to: marking)
        let fingerprint = try marking.first { $0.text(0) }
        return fingerprint.map {
            QueryMark(parameters: parameters, collections: translated.collections, fingerprint: $0)
        }
    }

    /// The rows with the mark of the same state.
    func markedSnapshot() throws -> (mark: QueryMark?, snapshot: QuerySnapshot) {
        try database().core().snapshot { _ in (mark: try mark(), snapshot: try snapshot()) }
    }
}

extension String {
    /// Whether a step of SQLite's plan reads a whole table: `SCAN s0`, or `SEARCH s0 USING AUTOMATIC COVERING INDEX …`, for
    /// which SQLite makes an index first. The elements of a list are a table, too: `SCAN fb_each VIRTUAL TABLE INDEX 1:`.
    fileprivate var readsAllRows: Bool {
        let terms = split(separator: " ", maxSplits: 4)
        switch terms.first {
        case "SCAN"?: return terms.count < 4 || terms[2] != "VIRTUAL"
        case "SEARCH"?: return terms.count > 3 && terms[3] == "AUTOMATIC"
        case _?, nil: return false
        }
    }
}
