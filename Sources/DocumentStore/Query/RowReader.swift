import DocumentQuery
import DocumentValues
import GRDB
import SQLiteStorage
import Synchronization

/// Reads the rows of a statement in portions, with a connection of its own from the first row to the last.
final class RowReader: ConnectionReader {
    private enum State {
        case reading(ReadingConnection, OpenStatement)
        /// There are no more rows.
        case ended
        /// The database was closed before the last row.
        case cutOff
    }

    /// A statement that is being read.
    // Unchecked, since it is used on the connection's queue only: the calls have the connection as an argument, and check that.
    private final class OpenStatement: @unchecked Sendable {
        private let statement: RawStatement
        /// While it has a row, all statements of the connection see the same state of the database.
        private let keeper: RawStatement

        init(_ statement: RawStatement, keeper: RawStatement) {
            self.statement = statement
            self.keeper = keeper
        }

        func rows(
            _ count: Int, columns: [TranslatedQuery.Column], check: ResultRow.Check, _ db: GRDB.Database
        ) throws -> [ResultRow] {
            db.preconditionOnQueue()
            // From the first row on the statement itself keeps the state.
            defer { keeper.reset() }
            return try RowReader.rows(statement, columns: columns, count: count, check: check)
        }

        func rehearse(behind count: Int, _ db: GRDB.Database) throws {
            db.preconditionOnQueue()
            defer { keeper.reset() }
            _ = try keeper.step()
            while try statement.step() {}
            for _ in 0..<count { _ = try statement.step() }
        }

        /// The statement, which is no longer used.
        func end(_ db: GRDB.Database) -> RawStatement {
            db.preconditionOnQueue()
            keeper.reset()
            return statement
        }
    }

    private let core: StoreCore
    let query: TranslatedQuery
    private let state: Mutex<State>
    private let turn: ResultTurn
    private let interruption: Interruption

    private init(
        core: StoreCore, turn: ResultTurn, query: TranslatedQuery, connection: ReadingConnection,
        statement: OpenStatement, within interruption: Interruption
    ) {
        self.core = core
        self.turn = turn
        self.query = query
        self.interruption = interruption
        state = Mutex(.reading(connection, statement))
    }

    deinit { end() }

    /// Begins to read the statement of `prepare` on the connection, on the state of the tables that it has seen.
    ///
    /// - Parameters:
    ///   - turn: given back when the last row was read.
    ///   - interruption: has the limit for all rows together.
    static func begin(
        _ core: StoreCore, turn: ResultTurn, within interruption: Interruption,
        prepare: (ReadingConnection, GRDB.Database) throws -> (RawStatement, TranslatedQuery)
    ) throws -> RowReader {
        try core.call { try make(core, turn: turn, within: interruption, prepare: prepare) }
    }

    private static func make(
        _ core: StoreCore, turn: ResultTurn, within interruption: Interruption,
        prepare: (ReadingConnection, GRDB.Database) throws -> (RawStatement, TranslatedQuery)
    ) throws -> RowReader {
        let connection = try core.results.take(turn)
        let reader: RowReader
        do {
            reader = try connection.read { db in
                let keeper = try RawStatement("SELECT COUNT(*) FROM sqlite_master", db)
                do {
                    _ = try keeper.step()
                    let (statement, query) = try prepare(connection, db)
                    return RowReader(
                        core: core, turn: turn, query: query, connection: connection,
                        statement: OpenStatement(statement, keeper: keeper), within: interruption)
                } catch {
                    keeper.reset()
                    throw error
                }
            }
        } catch {
            core.results.giveBack(connection)
            throw error
        }
        try core.results.note(reader)
        return reader
    }

    var calls: CallQueues { core.calls }

    /// Makes `read` throw `CancellationError`, the present call and all later ones.
    func interrupt() { interruption.ask(because: CancellationError()) }

    /// The next rows; none at the end. Throws `.notOpen` where the database was closed before it, `CancellationError` where it
    /// was interrupted, `.timedOut` where it took too long.
    func read(_ count: Int, check: ResultRow.Check = .now) throws -> [ResultRow] {
        let (rows, unused) = try state.withLock { state -> ([ResultRow], ReadingConnection?) in
            switch state {
            case .ended: return ([], nil)
            case .cutOff: throw StoreError.closedDatabase
            case .reading(let connection, let open):
                let rows = try watch(connection) { db in
                    try open.rows(count, columns: query.columns, check: check, db)
                }
                return (rows, rows.count < count ? leave(&state, for: .ended) : nil)
            }
        }
        if let unused { giveBack(unused) }
        return rows
    }

    /// Runs the statement to its end, to see whether it fails for any row, and then returns to the row after the first ones,
    /// which were read. The rows are the same again, because the statement reads the same state of the database.
    func rehearse(behind count: Int) throws {
        try state.withLock { state in
            guard case .reading(let connection, let open) = state else { return }
            try watch(connection) { db in try open.rehearse(behind: count, db) }
        }
    }

    private func watch<Value>(
        _ connection: ReadingConnection, body: (GRDB.Database) throws -> Value
    ) throws -> Value {
        try translatingQueryErrors(path: core.path) {
            try core.results.turns.reading {
                try connection.read { db in try interruption.watch(db) { try body(db) } }
            }
        }
    }

    /// A `read` that is running ends, too: it throws `.notOpen`.
    func end() {
        interruption.ask(because: StoreError.closedDatabase)
        let unused = state.withLock { leave(&$0, for: .cutOff) }
        if let unused { giveBack(unused) }
    }

    /// - Returns: the connection, if it still had one. The statement is given back to it, so that it can be closed.
    private func leave(_ state: inout State, for next: State) -> ReadingConnection? {
        guard case .reading(let connection, let open) = state else { return nil }
        connection.read { db in connection.keep(open.end(db), sql: query.sql, in: db) }
        state = next
        return connection
    }

    private func giveBack(_ connection: ReadingConnection) {
        core.results.end(ObjectIdentifier(self), connection: connection)
        turn.giveBack()
    }

    /// Reads up to so many rows, fewer only at the end.
    static func rows(
        _ statement: RawStatement, columns: [TranslatedQuery.Column], count: Int, check: ResultRow.Check = .now
    ) throws -> [ResultRow] {
        var rows: [ResultRow] = []
        while rows.count < count, try statement.step() {
            rows.append(try ResultRow(statement, columns: columns, check: check))
        }
        return rows
    }
}
