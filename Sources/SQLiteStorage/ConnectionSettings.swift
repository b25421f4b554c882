import GRDB
import GRDBSQLite

/// How the connections to a database file are set up. All of them overwrite deleted content: a purged document must
/// leave the disk, too.
package struct ConnectionSettings: Sendable {
    /// For the queues of the connections, as a debugger shows them.
    package var label: String?
    /// How long a connection waits for another process, in seconds.
    package var busyTimeout: Double
    /// Connections that read at the same time.
    package var readers: Int
    /// Run on each new connection, after `secure_delete`.
    package var pragmas: [String]
    /// Run after those on connections that write.
    package var writerPragmas: [String]
    /// Run on each new connection after those: functions and orders of its own.
    package var prepare: @Sendable (GRDB.Database) throws -> Void

    package init(
        label: String? = nil, busyTimeout: Double, readers: Int, pragmas: [String] = [],
        writerPragmas: [String] = [],
        prepare: @escaping @Sendable (GRDB.Database) throws -> Void = { _ in }
    ) {
        self.label = label
        self.busyTimeout = busyTimeout
        self.readers = readers
        self.pragmas = pragmas
        self.writerPragmas = writerPragmas
        self.prepare = prepare
    }

    /// One writer, several readers.
    package func pool(_ path: String) throws -> DatabasePool {
        try DatabasePool(path: path, configuration: configuration())
    }

    /// A single connection that reads and writes.
    package func queue(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: configuration())
    }

    /// A single connection that only reads.
    package func reader(_ path: String) throws -> DatabaseQueue {
        var configuration = configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.label = label
        configuration.busyMode = .timeout(busyTimeout)
        configuration.maximumReaderCount = readers
        configuration.prepareDatabase { [pragmas, writerPragmas, prepare] db in
            db.attachesNothing()
            let own = db.configuration.readonly ? [] : writerPragmas
            for pragma in ["secure_delete = ON"] + pragmas + own { try db.execute(sql: "PRAGMA \(pragma)") }
            try prepare(db)
        }
        return configuration
    }
}

extension GRDB.Database {
    /// No statement opens another file by this connection, whatever a database file from elsewhere makes of it.
    fileprivate func attachesNothing() { sqlite3_limit(sqliteConnection, SQLITE_LIMIT_ATTACHED, 0) }

    /// Runs `body` with the one file more that `VACUUM` attaches.
    package func vacuuming<Result>(_ body: () throws -> Result) rethrows -> Result {
        sqlite3_limit(sqliteConnection, SQLITE_LIMIT_ATTACHED, 1)
        defer { attachesNothing() }
        return try body()
    }
}
