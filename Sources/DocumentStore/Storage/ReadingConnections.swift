import GRDB
import SQLiteStorage
import Synchronization

/// Connections that only read, each for one result at a time: a result is read while others are, and while somebody
/// writes, and sees one state of the database for as long as it lasts.
final class ReadingConnections: Sendable {
    private struct State {
        var idle: [DatabaseQueue] = []
        var active: [ObjectIdentifier: ActiveReader] = [:]
        var isClosed = false
    }

    private struct ActiveReader {
        weak var reader: (any ConnectionReader)?
    }

    private let path: String
    private let settings: ConnectionSettings
    private let state = Mutex(State())

    init(path: String, settings: ConnectionSettings) {
        self.path = path
        self.settings = settings
    }

    /// Throws `.busy` where more results are being read than `StoreLimits.openResults`.
    func take() throws -> DatabaseQueue {
        let idle = try state.withLock { state -> DatabaseQueue? in
            guard !state.isClosed else { throw StoreError.notOpen }
            return state.idle.popLast()
        }
        return try idle ?? translatingErrors(path: path) { try settings.reader(path) }
    }

    /// Notes who reads with a connection, so that it can be ended when the database is closed.
    func begin(_ reader: any ConnectionReader) throws {
        try state.withLock { state in
            guard !state.isClosed else { throw StoreError.notOpen }
            guard state.active.count < StoreLimits.openResults else {
                throw StoreError(
                    .busy, message: "More than \(StoreLimits.openResults) results of queries are being read.",
                    hint: "Read results to their end, or let go of them.")
            }
            state.active[ObjectIdentifier(reader)] = ActiveReader(reader: reader)
        }
    }

    /// The connection has nothing open any more.
    func end(_ reader: ObjectIdentifier, connection: DatabaseQueue) {
        let isKept = state.withLock { state in
            state.active[reader] = nil
            guard !state.isClosed, state.idle.count < StoreLimits.idleConnections else { return false }
            state.idle.append(connection)
            return true
        }
        if !isKept { Self.close(connection) }
    }

    func close() {
        let (idle, active) = state.withLock { state in
            defer { state = State(isClosed: true) }
            return (state.idle, state.active.values.compactMap(\.reader))
        }
        for reader in active { reader.end() }
        for connection in idle { Self.close(connection) }
    }

    private static func close(_ connection: DatabaseQueue) {
        do { try connection.close() } catch {
            LibraryLog.database.warning("A connection cannot be closed: \(error)")
        }
    }
}

/// Who reads with a connection.
protocol ConnectionReader: AnyObject, Sendable {
    /// Lets go of the connection.
    func end()
}
