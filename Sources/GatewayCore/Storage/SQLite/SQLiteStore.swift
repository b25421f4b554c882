import DatabaseMigrations
import Dispatch
import Foundation
import GRDB
import Glibc
import Logging
import SQLiteStorage
import Synchronization

/// The SQLite file of one gateway database: readers in parallel, one writer whose commits are durable.
///
/// Writes that wait at the same time share a transaction and its fsync, as long as the transaction stays short.
final class SQLiteStore: GatewayStore {
    let pool: DatabasePool
    let smallReads: SQLiteInPlaceReader
    let queue: DispatchQueue
    let folder: String
    let disk = DiskSpace()
    let damage = StoreDamage()
    let reserve: StoreReserve
    let shortage: DiskShortage
    let waiting = Mutex(WriteTurns<WaitingWrite>(credit: GatewayLimits.workOfTurn))
    /// Checked on the connections' own queues, since SQLite would use the dangling pointer of a closed connection.
    let isOpen = OpenFlag()
    /// Whether something was erased whose bytes are still in the log.
    let logIsToBeEmptied = Mutex(false)
    let waitingForEmptyLog = Mutex<[CheckedContinuation<Void, any Error>]>([])
    let turns = AccountLine(limit: GatewayLimits.readsOfAccount)
    let logger: Logger
    let commits: CommitEvents

    /// - Parameter shortage: of the disk that all databases share.
    init(path: String, shortage: DiskShortage = DiskShortage(), logger: Logger) throws {
        folder = (path as NSString).deletingLastPathComponent
        try Self.makePrivate(path)
        self.shortage = shortage
        reserve = StoreReserve(path: path, shortage: shortage)
        queue = DispatchQueue(label: "gateway.store", qos: .userInitiated)
        self.logger = logger
        // Opening writes the log's index, so a start on a full disk needs some of the reserve.
        let inPlace: SQLiteInPlaceReader.Connections
        (pool, inPlace) = try reserve.lend { try Self.open(path) }
        smallReads = SQLiteInPlaceReader(inPlace, damage: damage, isOpen: isOpen)
        try Self.checkSize(of: path, in: pool)
        commits = CommitEvents(
            after: try pool.read { try SQLitePropertyRows(db: $0).number(.lastSequence) })
    }

    private static func open(_ path: String) throws -> (DatabasePool, SQLiteInPlaceReader.Connections) {
        let pool = try connections.pool(path)
        do { try Schema(DatabaseMigrations.gateway).migrate(pool) } catch is NewerSchema {
            throw GatewayError.newerDatabase(path)
        }
        try pool.writeWithoutTransaction { db in
            // The pool sets NORMAL by itself; an acknowledged write has to outlive a loss of power.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try Self.set(.usual, in: db)
            // A large attachment makes the log as large as itself; afterwards the disk gets that back.
            try db.execute(sql: "PRAGMA journal_size_limit = \(GatewayLimits.logSize)")
        }
        return (pool, try SQLiteInPlaceReader.Connections(to: path, with: connections))
    }

    /// A truncated file opens without an error, and only the first read of a missing page fails. So the size is checked
    /// here; pages that are still in the log are not missing.
    private static func checkSize(of path: String, in pool: DatabasePool) throws {
        // A file whose status cannot be read is another error than a short file.
        func size(_ path: String) throws -> Int {
            do { return try FileLength.bytes(of: path) ?? 0 } catch {
                throw DatabaseError(resultCode: .SQLITE_IOERR, message: String(cString: strerror(error.number)))
            }
        }
        let (pages, page) = try pool.read { db in
            (try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0, try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
        guard try size(path) + size(path + "-wal") < pages * page else { return }
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "it is shorter than its header says")
    }

    private static let connections = ConnectionSettings(
        busyTimeout: TimeInterval(GatewayLimits.busyTimeout) / 1_000, readers: GatewayLimits.readers,
        pragmas: ["cache_size = -4000", "temp_store = MEMORY"])

    /// Only the gateway's account may read the file, even after it was moved out of its folder. SQLite gives the files
    /// beside it the same permissions.
    private static func makePrivate(_ path: String) throws {
        let files = FileManager.default
        if !files.fileExists(atPath: path) {
            guard files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw GatewayError.unmadeDatabaseFile
            }
        }
        for file in ["", "-wal", "-shm"].map({ path + $0 }) where files.fileExists(atPath: file) {
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
    }

    func close() async throws {
        isOpen.clear()
        reserve.end()
        // The pool waits for the tasks to which it has lent connections, and these may need the thread of this one.
        try await onQueue {
            try self.smallReads.close()
            try self.pool.close()
        }
    }

    var inPlace: (any InPlaceReader)? { smallReads }
    var upkeep: (any StoreUpkeep)? { self }

    func withWriter<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.writeWithoutTransaction { db in
            try isOpen.check()
            return try body(db)
        }
    }
}
