import DocumentQuery
import DocumentValues
import GRDB
import SQLiteStorage
import Synchronization

/// Reads the rows of a statement in portions, with a connection of its own from the first row to the last.
final class RowReader: ConnectionReader {
    private enum State {
        case reading(DatabaseQueue, OpenStatement)
        /// There are no more rows.
        case ended
        /// The database was closed before the last row.
        case cutOff
    }

    /// Touched on the connection's queue only.
    private final class OpenStatement: @unchecked Sendable {
        let statement: RawStatement

        init(_ statement: RawStatement) { self.statement = statement }
    }

    private let core: StoreCore
    let columns: [TranslatedQuery.Column]
    private let state: Mutex<State>
    private let interruption: Interruption

    private init(
        core: StoreCore, columns: [TranslatedQuery.Column], connection: DatabaseQueue, statement: OpenStatement,
        timeLimit: Duration?
    ) {
        self.core = core
        self.columns = columns
        interruption = Interruption(limit: timeLimit)
        state = Mutex(.reading(connection, statement))
    }

    deinit { end() }

    /// Begins to read what `prepare` makes on the connection. Throws `.busy` where too many results are being read.
    ///
    /// - Parameter timeLimit: for all rows together.
    static func begin(
        _ core: StoreCore, timeLimit: Duration?,
        prepare: (GRDB.Database) throws -> (RawStatement, [TranslatedQuery.Column])
    ) throws -> RowReader {
        let connection = try core.results.take()
        let reader: RowReader
        do {
            reader = try connection.unsafeReentrantRead { db in
                let (statement, columns) = try prepare(db)
                return RowReader(
                    core: core, columns: columns, connection: connection, statement: OpenStatement(statement),
                    timeLimit: timeLimit)
            }
        } catch {
            core.results.giveBack(connection)
            throw error
        }
        try core.results.note(reader)
        return reader
    }

    var calls: CallQueues { core.calls }

    /// Has `read` throw `CancellationError`, the one that is under way and those that follow.
    func interrupt() { interruption.ask(because: CancellationError()) }

    /// The next rows; none at the end. Throws `.notOpen` where the database was closed before it, `CancellationError` where it
    /// was interrupted, `.timedOut` where it took too long.
    func read(_ count: Int) throws -> [ResultRow] {
        try translatingQueryErrors(path: core.path) { try rows(count) }
    }

    private func rows(_ count: Int) throws -> [ResultRow] {
        let (rows, unused) = try state.withLock { state -> ([ResultRow], DatabaseQueue?) in
            switch state {
            case .ended: return ([], nil)
            case .cutOff: throw StoreError.closedDatabase
            case .reading(let connection, let open):
                let rows = try connection.unsafeReentrantRead { db in
                    try interruption.watch(db) {
                        try RowReader.rows(open.statement, columns: columns, count: count)
                    }
                }
                return (rows, rows.count < count ? Self.leave(&state, for: .ended) : nil)
            }
        }
        if let unused { giveBack(unused) }
        return rows
    }

    /// What is being read just now ends, too: it throws `.notOpen`.
    func end() {
        interruption.ask(because: StoreError.closedDatabase)
        let unused = state.withLock { Self.leave(&$0, for: .cutOff) }
        if let unused { giveBack(unused) }
    }

    /// - Returns: the connection, if there was one still. Nothing holds its statement any more, so it can be closed.
    private static func leave(_ state: inout State, for next: State) -> DatabaseQueue? {
        guard case .reading(let connection, let open) = state else { return nil }
        connection.unsafeReentrantRead { _ in open.statement.reset() }
        state = next
        return connection
    }

    private func giveBack(_ connection: DatabaseQueue) {
        core.results.end(ObjectIdentifier(self), connection: connection)
    }

    /// Reads up to so many rows, fewer only at the end.
    static func rows(
        _ statement: RawStatement, columns: [TranslatedQuery.Column], count: Int
    ) throws -> [ResultRow] {
        var rows: [ResultRow] = []
        while rows.count < count, try statement.step() { rows.append(ResultRow(statement, columns: columns)) }
        return rows
    }
}
