import DocumentQuery
import DocumentValues
import GRDB
import SQLiteStorage
import Synchronization

/// A query in SQL++, which may run many times: `try database.createQuery("SELECT name FROM sites").execute()`.
///
/// Its methods may be called from any thread.
public final class Query: Sendable {
    private let database: Database
    private let statement: SelectStatement
    /// As it was written.
    let text: String
    private let currentParameters = Mutex<Parameters?>(nil)

    init(_ statement: SelectStatement, text: String, database: Database) throws {
        self.database = database
        self.statement = statement
        self.text = text
        try check()
    }

    /// The values of the parameters, `$name` in the text, for the next times that the query runs; `nil` at first. What is
    /// set is copied.
    public var parameters: Parameters? {
        get { currentParameters.withLock { $0 } }
        set {
            let copy = newValue.map { Parameters(parameters: $0) }
            currentParameters.withLock { $0 = copy }
        }
    }

    /// Runs the query on the database as it is now; inside ``Database/inBatch(using:)``, with what the batch has saved.
    ///
    /// - Throws: ``StoreError`` `.invalidQuery` where a value makes it fail, such as a LIMIT that is no whole number;
    ///   `.invalidQueryParameter` for a parameter that the query does not have; `.notOpen` once the database is closed or
    ///   a collection deleted.
    public func execute() throws -> ResultSet {
        let core = try database.core()
        return try translatingQueryErrors(path: core.path) {
            try core.isWriting ? resultsOfBatch(core) : results(core)
        }
    }

    private func results(_ core: StoreCore) throws -> ResultSet {
        var names: [String] = []
        let reader = try RowReader.begin(core) { db in
            let (statement, columns) = try prepare(db)
            names = columns.map(\.name)
            return (statement, columns)
        }
        return ResultSet(
            names, rows: try reader.read(StoreLimits.firstRows), reader: reader, origin: ValueOrigin(database))
    }

    /// All rows at once: the batch may go on and change what they are of.
    private func resultsOfBatch(_ core: StoreCore) throws -> ResultSet {
        try core.read { db in
            let (statement, columns) = try prepare(db)
            let rows = try RowReader.rows(statement, columns: columns, count: .max)
            return ResultSet(columns.map(\.name), rows: rows, reader: nil, origin: ValueOrigin(database))
        }
    }

    /// How the query runs, for people to read: its SQL, SQLite's plan for it with the indexes that it uses, and its text.
    public func explain() throws -> String {
        let core = try database.core()
        return try translatingQueryErrors(path: core.path) {
            try core.read { db in
                let translated = try translate(db)
                let plan = try RawStatement("EXPLAIN QUERY PLAN \(translated.sql)", db)
                let steps = try plan.all { "\($0.int64(0))|\($0.int64(1))|\($0.int64(2))| \($0.text(3))" }
                return ([translated.sql, ""] + steps + ["", text, ""]).joined(separator: "\n")
            }
        }
    }

    // MARK: Statements

    /// Finds what is wrong with the query as far as that does not depend on values.
    private func check() throws {
        let core = try database.core()
        try translatingQueryErrors(path: core.path) {
            try core.read { db in _ = try RawStatement(try translate(db).sql, db) }
        }
    }

    private func translate(_ db: GRDB.Database) throws -> TranslatedQuery {
        try StatementTranslator.translate(
            statement, environment: StoreQueryEnvironment(db: db, databaseName: database.name))
    }

    private func prepare(_ db: GRDB.Database) throws -> (RawStatement, [TranslatedQuery.Column]) {
        let translated = try translate(db)
        let statement = try RawStatement(translated.sql, db)
        try QueryBinding.bind(parameters?.all ?? [:], of: translated, to: statement)
        return (statement, translated.columns)
    }
}

extension Database {
    /// Compiles a query in SQL++, such as `SELECT name, region FROM field.sites WHERE region = $region ORDER BY name`.
    ///
    /// - Throws: ``StoreError`` `.invalidQuery` with what is wrong with it, for a text that does not fit the grammar with
    ///   the byte of it, counted from 0, as `position` of its context; `.missingIndex` for MATCH without its index.
    public func createQuery(_ query: String) throws -> Query {
        let statement: SelectStatement
        do throws(QueryError) { statement = try QueryParser.statement(query) } catch { throw StoreError(error) }
        return try Query(statement, text: query, database: self)
    }
}
