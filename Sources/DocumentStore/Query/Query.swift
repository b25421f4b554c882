import DocumentQuery
import DocumentValues
import GRDB
import SQLiteStorage
import Synchronization

/// A query, which may run many times: `try database.createQuery("SELECT name FROM sites").execute()`, or made with
/// ``QueryBuilder``.
///
/// Its methods may be called from any thread.
// Unchecked, since the compiler cannot check a class with subclasses: all its members are Sendable, and the subclasses
// add none.
public class Query: @unchecked Sendable {
    let built: BuiltQuery
    /// The text as the app wrote it; `nil` for a query of the builder.
    private let writtenText: String?
    private let currentParameters = Mutex<Parameters?>(nil)
    private let currentTimeLimit = Mutex<Duration?>(nil)
    private let isLogged = Atomic(false)
    /// The listeners, which are notified of new parameters.
    let listeners = LiveQueryList()

    init(_ built: BuiltQuery) {
        self.built = built
        writtenText = nil
    }

    fileprivate init(_ statement: SelectStatement, text: String, database: Database) throws {
        built = BuiltQuery(statement, database: database)
        writtenText = text
        try check()
    }

    /// The values of the parameters, `$name` in the text, for the next times that the query runs; `nil` at first. The
    /// setter and the getter copy them: to change one value, set all of them again.
    public var parameters: Parameters? {
        get { boundParameters.map { Parameters(parameters: $0) } }
        set {
            let copy = newValue.map { Parameters(parameters: $0) }
            currentParameters.withLock { $0 = copy }
            listeners.changed()
        }
    }

    /// The query's own ones, without a copy; they are never changed.
    var boundParameters: Parameters? { currentParameters.withLock { $0 } }

    /// How long a run may take in the database, from ``execute()`` to the last row, without the time that the caller takes
    /// with the rows: ``StoreError`` `.timedOut` is thrown, or is the ``ResultSet/error`` of its results, when it has taken
    /// longer. `nil`, the default, means no limit, and a run with a few joins may take hours: set a limit if the text is
    /// not your own. It ends a call of a function, too, but for a single comparison by Unicode's rules or a single value that
    /// is read, which takes a second or so for the largest texts.
    public var timeLimit: Duration? {
        get { currentTimeLimit.withLock { $0 } }
        set { currentTimeLimit.withLock { $0 = newValue } }
    }

    /// The limit of one run, for all that it does in the database.
    func limitOfRun() -> Interruption { Interruption(limit: timeLimit) }

    /// Runs the query on the database as it is now; inside ``Database/inBatch(using:)``, with what the batch has saved.
    ///
    /// If a document makes the query fail, this call throws, even if it is the last of a million: such a query first runs to
    /// its end, without keeping rows.
    ///
    /// - Throws: ``StoreError`` `.invalidQuery` if a value makes it fail, such as a LIMIT that is no whole number;
    ///   `.invalidQueryParameter` for a parameter that the query does not have; `.timedOut` after ``timeLimit``; `.busy` where
    ///   64 results are open, of which each has a connection until its last row is read, or until it is let go; `.notOpen`
    ///   once the database is closed or a collection deleted.
    public func execute() throws -> ResultSet {
        let core = try core()
        return try translatingQueryErrors(path: core.path) {
            try core.isWriting ? try snapshot().results : results(of: begin(core))
        }
    }

    /// Begins to read, on a connection of its own.
    ///
    /// - Parameter turn: for the result; `nil` means one that is there at once.
    func begin(_ core: StoreCore, turn: ResultTurn? = nil) throws -> RowReader {
        try translatingQueryErrors(path: core.path) {
            let turn = try turn ?? core.results.turns.turnAtOnce()
            let interruption = limitOfRun()
            return try RowReader.begin(core, turn: turn, within: interruption) { connection, db in
                try prepare(db, within: interruption) { try connection.statement($0, in: db) }
            }
        }
    }

    func results(of reader: RowReader) throws -> ResultSet {
        let first = try reader.read(StoreLimits.firstRows)
        if reader.query.mayFail { try reader.rehearse(behind: first.count) }
        return ResultSet(reader.query.columns.map(\.name), rows: first, reader: reader, origin: origin)
    }

    /// All rows at once: for a batch, which may go on and change the documents, and for listeners.
    func snapshot() throws -> QuerySnapshot {
        let core = try core()
        return try translatingQueryErrors(path: core.path) {
            try core.snapshot { db in try snapshot(within: limitOfRun(), path: core.path, db) }
        }
    }

    /// All rows, in a transaction that has begun.
    ///
    /// - Parameter path: of the database, for errors.
    func snapshot(within interruption: Interruption, path: String, _ db: GRDB.Database) throws -> QuerySnapshot {
        let (statement, translated) = try translatingQueryErrors(path: path) { try prepare(db, within: interruption) }
        // Here, since the transaction would translate the error as one of the database.
        let rows = try translatingQueryErrors(path: path) {
            try interruption.watch(db) {
                try RowReader.rows(statement, columns: translated.columns, count: .max)
            }
        }
        return QuerySnapshot(
            columns: translated.columns.map(\.name), rows: rows, origin: origin,
            collections: Set(
                try CollectionCatalog.all(db).filter { translated.collections.contains($0.id) }.map(\.name)))
    }

    /// How the query runs, for people to read: its SQL, SQLite's plan for it with the indexes that it uses, and its text.
    ///
    /// - Throws: ``StoreError`` `.invalidQuery` and `.missingIndex` if a collection or an index that it names is gone by now;
    ///   `.notOpen` if the database is closed.
    public func explain() throws -> String {
        let core = try core()
        return try translatingQueryErrors(path: core.path) {
            try core.snapshot { db in
                let translated = try translate(db)
                let plan = try translated.plan(db)
                let steps = try plan.all { "\($0.int64(0))|\($0.int64(1))|\($0.int64(2))| \($0.text(3))" }
                return ([translated.sql, ""] + steps + ["", text, ""]).joined(separator: "\n")
            }
        }
    }

    /// The names of the indexes in the plan, each once, in the plan's order; the plan does not name full-text indexes.
    package func usedIndexes() throws -> [String] {
        let core = try core()
        return try translatingQueryErrors(path: core.path) {
            try core.snapshot { db in
                let names = try CollectionCatalog.all(db).flatMap { try IndexCatalog.all(of: $0.id, db) }.map(\.name)
                let plan = try planSteps(db)
                var used: [String] = []
                for step in plan {
                    for name in names where step.contains("INDEX \(name) ") || step.hasSuffix("INDEX \(name)") {
                        if !used.containsExactly(name) { used.append(name) }
                    }
                }
                return used
            }
        }
    }

    /// The text as the app wrote it; for a query of the builder, its form in SQL++.
    var text: String { writtenText ?? QueryWriter.text(built.statement) }

    // MARK: Statements

    /// The database; a query of the builder takes it from its first source.
    func database() throws -> Database {
        if let problem = built.problem { throw StoreError(problem) }
        guard let database = built.database else { throw StoreError(QueryError("N1QL error: missing the FROM clause")) }
        return database
    }

    private func core() throws -> StoreCore { try database().core() }

    private var origin: ValueOrigin { ValueOrigin(built.database) }

    /// Finds the errors of the query that do not depend on values.
    private func check() throws {
        let core = try core()
        try translatingQueryErrors(path: core.path) {
            try core.snapshot { db in
                let translated = try translate(db)
                _ = try translated.compiled(db)
                log(translated, db)
            }
        }
    }

    private func translate(_ db: GRDB.Database) throws -> TranslatedQuery {
        try StatementTranslator.translate(
            built.statement,
            environment: StoreQueryEnvironment(db: db, databaseName: built.database?.name ?? ""))
    }

    /// The steps of SQLite's plan.
    func planSteps(_ db: GRDB.Database) throws -> [String] { try translate(db).planSteps(db) }

    /// The statement with the values of the parameters.
    ///
    /// - Parameters:
    ///   - interruption: has the limit of the run, to which a sample of the documents belongs; none by default.
    ///   - compile: makes the statement, or takes it from a cache; by default it is made, and released with its holder.
    func prepare(
        _ db: GRDB.Database, within interruption: Interruption = Interruption(limit: nil),
        compile: ((String) throws -> RawStatement)? = nil
    ) throws -> (RawStatement, TranslatedQuery) {
        let translated = try translate(db)
        let statement = try translatingRefusals {
            try compile?(translated.sql) ?? RawStatement(uncached: translated.sql, db)
        }
        let values = boundParameters?.all ?? [:]
        try QueryBinding.bind(values, of: translated, to: statement)
        if let first = translated.firstRows {
            let sample = FirstRowSample(query: translated, values: values)
            try interruption.watch(db) { try sample.note(first, for: statement, db) }
        }
        log(translated, db)
        return (statement, translated)
    }

    /// Called once for each query: when its text is compiled, or when a query of the builder first runs. A query of the
    /// builder contains values, which may be personal data, so only a text of the app is logged.
    private func log(_ translated: TranslatedQuery, _ db: GRDB.Database) {
        guard !isLogged.exchange(true, ordering: .relaxed) else { return }
        LibraryLog.query.info("Query of \(built.statement.shape)")
        if let writtenText { LibraryLog.query.verbose("Query: \(writtenText.withControlsEscaped)") }
        LibraryLog.query.verbose("Plan: \(translated.planText(db))")
    }
}

extension TranslatedQuery {
    fileprivate func compiled(_ db: GRDB.Database) throws -> RawStatement {
        try translatingRefusals { try RawStatement(uncached: sql, db) }
    }

    fileprivate func plan(_ db: GRDB.Database) throws -> RawStatement {
        try translatingRefusals { try RawStatement(uncached: "EXPLAIN QUERY PLAN \(sql)", db) }
    }

    /// The steps of SQLite's plan.
    fileprivate func planSteps(_ db: GRDB.Database) throws -> [String] { try plan(db).all { $0.text(3) } }

    /// For the log, so that an error of the plan does not fail the query.
    fileprivate func planText(_ db: GRDB.Database) -> String {
        do { return try planSteps(db).joined(separator: "; ") } catch { return "not known: \(error)" }
    }
}

/// A type that makes queries of text.
public protocol QueryFactory {
    /// Compiles a query in SQL++.
    ///
    /// - Throws: ``StoreError`` `.invalidQuery`, `.missingIndex` or `.notOpen`, as `Database` does.
    func createQuery(_ query: String) throws -> Query
}

extension Database: QueryFactory {
    /// Compiles a query in SQL++, such as `SELECT name, region FROM field.sites WHERE region = $region ORDER BY name`.
    ///
    /// - Throws: ``StoreError`` `.invalidQuery` with the error of the query; for an error of syntax, the context has the
    ///   byte, counted from 0, as `position`; `.missingIndex` for MATCH without its index; `.notOpen` if the database is
    ///   closed.
    public func createQuery(_ query: String) throws -> Query {
        let statement: SelectStatement
        do throws(QueryError) { statement = try QueryParser.statement(query) } catch { throw StoreError(error) }
        return try Query(statement, text: query, database: self)
    }

    /// Compiles a query in its JSON form.
    package func createQuery(json: String) throws -> Query {
        let statement: SelectStatement
        do throws(QueryError) { statement = try JSONQueryReader.statement(json) } catch { throw StoreError(error) }
        return try Query(statement, text: json, database: self)
    }
}
