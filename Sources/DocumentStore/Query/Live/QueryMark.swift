import DocumentQuery
import DocumentValues
import GRDB
import SQLiteStorage

/// A mark of the documents that the rows of a query are of, and of their revisions: while a live query has the same mark as at
/// its last run, it has the same rows, and need not run.
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
    /// `nil` where it may take longer than the query itself: no index finds the documents of each source, LIMIT ends the query
    /// before it has read them all, or the time limit is over.
    ///
    /// - Parameter interruption: has the limit of the run of which this is a part.
    func mark(within interruption: Interruption) throws -> QueryMark? {
        let parameters = boundParameters
        return try database().core().snapshot { db in try mark(parameters, within: interruption, db) }
    }

    private func mark(
        _ parameters: Parameters?, within interruption: Interruption, _ db: GRDB.Database
    ) throws -> QueryMark? {
        do {
            guard try built.statement.limit == nil || readsAllBeforeLimit(db) else { return nil }
            return try interruption.watch(db) { try readMark(parameters, db) }
        } catch {
            // The run reports errors of the query; here an error only means that there is no mark.
            let isTimeOver = (error as? StoreError)?.code == .timedOut
            guard isTimeOver || error is QueryError || error is DatabaseError else { throw error }
            return nil
        }
    }

    private func readMark(_ parameters: Parameters?, _ db: GRDB.Database) throws -> QueryMark? {
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

    /// Whether SQLite has to sort the rows or to group them, so that it reads all before it has the first.
    private func readsAllBeforeLimit(_ db: GRDB.Database) throws -> Bool {
        let plan = try planSteps(db)
        return ["ORDER", "GROUP"].contains { plan.containsExactly("USE TEMP B-TREE FOR \($0) BY") }
    }

    /// The rows with the mark of the same state.
    func markedSnapshot(within interruption: Interruption) throws -> (mark: QueryMark?, snapshot: QuerySnapshot) {
        let core = try database().core()
        // Of before the run: if others are set during it, the next mark differs.
        let parameters = boundParameters
        return try translatingQueryErrors(path: core.path) {
            try core.snapshot { db in
                let rows = try snapshot(within: interruption, path: core.path, db)
                return (mark: try mark(parameters, within: interruption, db), snapshot: rows)
            }
        }
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
