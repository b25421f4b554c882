import SQLiteStorage
import Synchronization

/// Connections that only read, each for one result at a time. So several results can be read at once, and during
/// writes, and each sees one state of the database to its end.
final class ReadingConnections: Sendable {
    private struct State {
        var idle: [ReadingConnection] = []
        var active: [ObjectIdentifier: ActiveReader] = [:]
        /// Connections are given back at any time, also after the database is closed.
        var isClosed = false
    }

    private struct ActiveReader {
        weak var reader: (any ConnectionReader)?
    }

    private let path: String
    private let settings: ConnectionSettings
    private let state = Mutex(State())
    /// Who may open a result.
    let turns = OpenResults()

    init(path: String, settings: ConnectionSettings) {
        self.path = path
        self.settings = settings
    }

    /// A connection for one result, until it is given back.
    ///
    /// - Parameter turn: shows that the caller may have one.
    func take(_ turn: ResultTurn) throws -> ReadingConnection {
        let idle = try state.withLock { state -> ReadingConnection? in
            guard !state.isClosed else { throw StoreError.notOpen }
            return state.idle.popLast()
        }
        return try idle ?? translatingErrors(path: path) { ReadingConnection(try settings.reader(path)) }
    }

    /// How many results are being read.
    var readers: Int { state.withLock { $0.active.count } }

    /// Notes the reader of a connection, so that it can be ended when the database is closed.
    func note(_ reader: any ConnectionReader) throws {
        try state.withLock { state in
            guard !state.isClosed else { throw StoreError.notOpen }
            state.active[ObjectIdentifier(reader)] = ActiveReader(reader: reader)
        }
    }

    /// The reader has let go of its connection.
    func end(_ reader: ObjectIdentifier, connection: ReadingConnection) {
        state.withLock { $0.active[reader] = nil }
        giveBack(connection)
    }

    /// The connection has nothing open any more.
    func giveBack(_ connection: ReadingConnection) {
        let isKept = state.withLock { state in
            guard !state.isClosed, state.idle.count < StoreLimits.idleConnections else { return false }
            state.idle.append(connection)
            return true
        }
        if !isKept { Self.close(connection) }
    }

    /// Ends the results that are being read; there are no more until `reopen`.
    func close() {
        let (idle, active) = state.withLock { state in
            defer { (state.isClosed, state.idle, state.active) = (true, [], [:]) }
            return (state.idle, state.active.values.compactMap(\.reader))
        }
        turns.close()
        for reader in active { reader.end() }
        for connection in idle { Self.close(connection) }
    }

    /// The database could not be closed after all.
    func reopen() {
        state.withLock { $0.isClosed = false }
        turns.reopen()
    }

    private static func close(_ connection: ReadingConnection) {
        do { try connection.close() } catch {
            LibraryLog.database.warning("A connection cannot be closed: \(error)")
        }
    }
}

/// The reader that has a connection.
protocol ConnectionReader: AnyObject, Sendable {
    /// Lets go of the connection.
    func end()
}
