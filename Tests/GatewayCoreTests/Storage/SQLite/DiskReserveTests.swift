import Dispatch
import DocumentValues
import Foundation
import Glibc
import GRDB
import GRDBSQLite
import Logging
import SQLiteStorage
import SmallDisks
import Synchronization
import Testing

@testable import GatewayCore

/// Requests that revoke, delete or purge find room on a full disk; requests that fill it do not.
@Suite(.timeLimit(.minutes(1))) struct DiskReserveTests {
    private static func size(_ store: any GatewayStore) throws -> Int? {
        let path = "\(store.folder)/\(DatabaseParts.fileName)-reserve"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    }

    /// A write that finds no room while there is a reserve; returns how often it ran.
    private static func write(_ store: any GatewayStore, mayUseReserve: Bool) async throws -> Int {
        let runs = Mutex(0)
        let result = Mutex<(any Error)?>(nil)
        do {
            try await store.write(mayUseReserve: mayUseReserve) { transaction in
                runs.withLock { $0 += 1 }
                if try size(store) != nil { throw DatabaseError(resultCode: .SQLITE_FULL) }
                _ = try await transaction.nextSequence()
            }
        } catch { result.withLock { $0 = error } }
        let error = result.withLock { $0 }
        #expect((error == nil) == mayUseReserve)
        #expect(error.map { GatewayError($0) == .diskFull } ?? true)
        return runs.withLock { $0 }
    }

    @Test func theReserveIsForThoseWhoMakeRoom() async throws {
        try await TestDatabase.run { test in
            let store = test.database.store
            var runs = [try await Self.write(store, mayUseReserve: false)]
            var sizes = [try Self.size(store)]
            runs.append(try await Self.write(store, mayUseReserve: true))
            sizes.append(try Self.size(store))
            #expect(runs == [1, 2])
            #expect(sizes == [GatewayLimits.diskReserve, GatewayLimits.diskReserve], "it is set aside again")
        }
    }

    /// The missing part of the reserve is set aside when the disk has room for it.
    @Test func aReserveThatIsShortIsMadeWholeByHousekeeping() async throws {
        try await TestDatabase.run { test in
            let path = "\(test.database.store.folder)/\(DatabaseParts.fileName)-reserve"
            for left in [1 << 20, 0] {
                if left > 0 { #expect(truncate(path, left) == 0) } else { #expect(unlink(path) == 0) }
                #expect(test.database.missingReserve == GatewayLimits.diskReserve - left)
                await test.maintain()
                #expect(test.database.missingReserve == 0)
                let size = try Self.size(test.database.store)
                #expect(size == GatewayLimits.diskReserve)
            }
        }
    }

    @Test func aShortReserveIsReportedUntilItIsWhole() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reserve-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let reserve = StoreReserve(path: folder.path + "/x")
        reserve.fill()
        let reports = Mutex<[Int]>([])
        reserve.onChange { missing in reports.withLock { $0.append(missing) } }
        reserve.complete()
        #expect(reports.withLock { $0 } == [])
        #expect(truncate(folder.path + "/x-reserve", 4096) == 0)
        reserve.complete()
        #expect(reports.withLock { $0 } == [])
        reserve.release()
        reserve.onChange { missing in reports.withLock { $0.append(missing) } }
        reserve.complete()
        reserve.complete()
        #expect(reports.withLock { $0 } == [GatewayLimits.diskReserve, 0])
    }

    private static func withStorePath(_ body: (_ path: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reserve-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path + "/x")
    }

    private static func open(_ path: String) throws -> any GatewayStore {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try SQLiteStore(path: path, logger: logger)
    }

    /// Other databases would take the reserved space of a database that first has to be restored or updated.
    @Test(arguments: ["damaged", "newer"])
    func aDatabaseThatCannotBeOpenedKeepsItsReserve(how: String) async throws {
        try await Self.withStorePath { path in
            try await Self.open(path).close()
            switch how {
            case "damaged":
                for file in [path + "-wal", path + "-shm"] { unlink(file) }
                try Data(repeating: 1, count: 8192).write(to: URL(fileURLWithPath: path))
            default:
                let file = try DatabaseQueue(path: path)
                try await file.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('later')") }
                try file.close()
            }
            #expect(throws: (any Error).self) { try Self.open(path) }
            #expect(StoreReserve(path: path).missing == 0)
        }
    }

    /// A committed write is reported as committed, even if a later step fails.
    @Test func aCommitIsReportedThoughTheLogKeepsItsSetting() async throws {
        try await Self.withStorePath { path in
            let store = try Self.open(path)
            let runs = Mutex(0)
            let sequence = try await store.write(mayUseReserve: true) { transaction in
                let isFull = runs.withLock { runs in
                    runs += 1
                    return runs == 1
                }
                if isFull { throw DatabaseError(resultCode: .SQLITE_FULL) }
                try transaction.db.add(transactionObserver: NoStatementsAfterCommit(), extent: .databaseLifetime)
                return try await transaction.nextSequence()
            }
            #expect(store.commits.lastSequence == sequence)
            try await store.close()
        }
    }

    @Test func anotherErrorLeavesItAlone() async throws {
        try await TestDatabase.run { test in
            let store = test.database.store
            let runs = Mutex(0)
            await #expect(throws: GatewayError.missing) {
                try await store.write(mayUseReserve: true) { _ in
                    runs.withLock { $0 += 1 }
                    throw GatewayError.missing
                }
            }
            #expect(runs.withLock { $0 } == 1)
            let size = try Self.size(store)
            #expect(size == GatewayLimits.diskReserve)
        }
    }

    /// If SQLite finds no room within a statement, it undoes the whole transaction, and all later statements in it fail for
    /// another reason.
    @Test func theReserveIsForWhatFindsNoRoomInTheMiddle() async throws {
        try await TestDatabase.run { test in
            let store = test.database.store
            try await store.write { try $0.db.execute(sql: "CREATE TABLE filler (content BLOB)") }
            let runs = Mutex(0)
            try await store.write(mayUseReserve: true) { transaction in
                let isFull = runs.withLock { runs in
                    runs += 1
                    return runs == 1
                }
                let pages = try Int.fetchOne(transaction.db, sql: "PRAGMA page_count") ?? 0
                try transaction.db.execute(sql: "PRAGMA max_page_count = \(pages + (isFull ? 10 : 10_000))")
                try transaction.db.execute(sql: "INSERT INTO filler VALUES (zeroblob(1000000))")
            }
            #expect(runs.withLock { $0 } == 2)
        }
    }

    /// Erasing temporarily takes as much space as the erased content; these three together take more than the reserve.
    @Test(.enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."))
    func largeDocumentsArePurgedOnAFullDisk() async throws {
        let disk = try SmallDisk(.ext4, size: 192 << 20)
        let ids = ["a", "b", "c"]
        try await TestDatabase.run(in: disk.folder) { test in
            for (number, id) in ids.enumerated() {
                try await test.putAttachment(id, bytes: GatewayLimits.attachmentSize, of: UInt8(number))
            }
            // Begins with an empty log and a full reserve.
            try await test.reopen()
            try disk.fill()
            let purged = try await test.database.documents.purge(ids, in: TestDatabase.collection)
            #expect(purged == ids)
        }
    }

    static let disks: [(system: SmallDisk.System, size: Int)] = [(.ext4, 112 << 20), (.tmpfs, 96 << 20)]

    /// Content that could not be moved from the log to the database stays in the log: the reserve has to serve several
    /// requests.
    @Test(
        .enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."), arguments: disks
    )
    func theReserveIsUsedAgainAndAgain(disk: (system: SmallDisk.System, size: Int)) async throws {
        let disk = try SmallDisk(disk.system, size: disk.size)
        try await TestDatabase.run(in: disk.folder) { test in
            let names = (0..<4).map { "user\($0)" }
            for name in names {
                try await test.putUser(name)
                try await test.put(name, [:])
            }
            try await test.reopen()
            // There is room for a photo in the log, but not for one in the database, too.
            try disk.fill(leaving: GatewayLimits.attachmentSize + (2 << 20))
            try await test.putAttachment("photo", bytes: GatewayLimits.attachmentSize)
            try disk.fill()
            for name in names {
                _ = try await test.database.principals.putUser(Name(name), json: Array(#"{"disabled":true}"#.utf8))
                #expect(test.database.missingReserve < 2 << 20, "\(name)")
            }
            for name in names { try await test.database.principals.deleteUser(Name(name)) }
            #expect(test.database.missingReserve < 2 << 20)
            let purged = try await test.database.documents.purge(names, in: TestDatabase.collection)
            #expect(purged == names)
        }
    }

    /// With the reserve, the content of the log finds room in the database; no write is needed for that.
    @Test(
        .enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."), arguments: disks
    )
    func housekeepingEmptiesTheLogOfAFullDisk(disk: (system: SmallDisk.System, size: Int)) async throws {
        let disk = try SmallDisk(disk.system, size: disk.size)
        try await TestDatabase.run(in: disk.folder) { test in
            try await test.reopen()
            // There is room for a photo in the log, but not for one in the database, too.
            try disk.fill(leaving: GatewayLimits.attachmentSize + (2 << 20))
            try await test.putAttachment("photo", bytes: GatewayLimits.attachmentSize)
            try disk.fill()
            test.database.store.disk.note(GatewayError.diskFull)
            await test.maintain()
            let log = "\(test.database.store.folder)/\(DatabaseParts.fileName)-wal"
            let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
            #expect(size == 0)
            #expect(test.database.missingReserve < 2 << 20)
        }
    }

    /// A log that needs more than the reserve takes nothing of it.
    @Test(.enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."))
    func aLongLogWaitsForRoom() async throws {
        let disk = try SmallDisk(.ext4, size: 144 << 20)
        try await TestDatabase.run(in: disk.folder) { test in
            try await test.put("small", [:])
            try await test.reopen()
            try disk.fill(leaving: 2 * GatewayLimits.attachmentSize + (4 << 20))
            let (store, isWritten) = (test.database.store, DispatchSemaphore(value: 0))
            let (begun, begin) = AsyncStream<Void>.makeStream()
            // A reader of an older state keeps the log from being emptied.
            async let read: Int = store.read { _ in
                begin.yield()
                isWritten.hold()
                return 0
            }
            for await _ in begun { break }
            for (byte, id) in ["one", "two"].enumerated() {
                try await test.putAttachment(id, bytes: GatewayLimits.attachmentSize, of: UInt8(byte))
            }
            try disk.fill()
            isWritten.signal()
            _ = try await read
            _ = try await test.database.documents.purge(["small"], in: TestDatabase.collection)
            #expect(test.database.missingReserve < 4 << 20)
        }
    }

    /// Ordinary writes get nothing of the lent space, in any database; writes that revoke, delete or make room do.
    @Test(.enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."))
    func nobodyElseTakesOfAReserveThatIsShort() async throws {
        let disk = try SmallDisk(.ext4, size: 112 << 20)
        try await TestDatabase.run(in: disk.folder) { test in
            for name in ["ann", "bob"] { try await test.putUser(name) }
            for id in ["a", "b"] { try await test.put(id, ["text": .string(String(repeating: "x", count: 100_000))]) }
            try await test.reopen()
            try disk.fill()
            try await test.database.principals.deleteSessions(of: "bob")
            let short = test.database.missingReserve
            #expect(short > 0)
            for _ in 0..<5 {
                await #expect(throws: GatewayError.diskFull) { try await test.put("c", [:]) }
                await #expect(throws: GatewayError.diskFull) { try await test.putAttachment("d", bytes: 100_000) }
            }
            #expect(test.database.missingReserve == short)
            #expect(try await test.database.documents.purge(["a"], in: TestDatabase.collection) == ["a"])
            try await test.database.principals.deleteUser("bob")
            try disk.empty()
            try await test.put("c", [:])
        }
    }

    /// The debt to a database ends with the database.
    @Test func aStoreThatIsClosedKeepsNobodyFromWriting() async throws {
        let shortage = DiskShortage()
        try await Self.withStorePath { path in
            var reserve: StoreReserve? = StoreReserve(path: path, shortage: shortage)
            reserve?.fill()
            reserve?.lendOnFullDisk {}
            #expect(!shortage.isAny, "all of it was set aside again")
            let other = StoreReserve(path: path + "-other", shortage: shortage)
            other.fill()
            other.lendOnFullDisk { #expect(unlink(path + "-other-reserve") != 0) }
            #expect(!shortage.isAny)
            reserve?.release()
            reserve = nil
            #expect(!shortage.isAny)
            other.end()
        }
    }

    /// On a disk with less space than a reserve, most of the space is set aside, and used.
    @Test(.enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."))
    func aSmallDiskHasASmallReserve() async throws {
        let disk = try SmallDisk(.tmpfs, size: 24 << 20)
        try await TestDatabase.run(in: disk.folder) { test in
            for name in ["ann", "bob"] { try await test.putUser(name) }
            try disk.fill()
            for _ in 1...5 {
                _ = try await test.database.principals.putUser("ann", json: Array(#"{"disabled":true}"#.utf8))
                try await test.database.principals.deleteSessions(of: "bob")
            }
            try await test.database.principals.deleteUser("bob")
            #expect((1..<(4 << 20)).contains(test.database.missingReserve))
        }
    }

    /// Other file systems keep nothing if they cannot set aside the whole space.
    @Test(.enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."))
    func aReserveIsMadeOfWhatIsLeft() throws {
        let disk = try SmallDisk(.ext4, size: 48 << 20)
        let spare = 256 << 10
        let reserve = DiskReserve(disk.folder.appendingPathComponent("reserve").path, size: 64 << 20)
        for _ in 1...2 {
            reserve.fillWithWhatIsThere(sparing: spare)
            // The file's own list of blocks takes one or two of them.
            #expect(try disk.free() > spare / 2)
            #expect(reserve.release())
            #expect(try disk.free() > 16 << 20)
        }
    }

    /// Small files have room beside a reserve that just fits on the disk.
    @Test(.enabled(if: SmallDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."))
    func aWholeReserveLeavesSomethingAsWell() throws {
        let disk = try SmallDisk(.tmpfs, size: 8 << 20)
        let (spare, free) = (256 << 10, try disk.free())
        let reserve = DiskReserve(disk.folder.appendingPathComponent("reserve").path, size: free - spare / 4)
        reserve.fillWithWhatIsThere(sparing: spare)
        #expect(try disk.free() == spare)
        #expect(reserve.missing == spare - spare / 4)
    }
}

/// Keeps a connection from reading the text of any statement after its next commit.
private final class NoStatementsAfterCommit: TransactionObserver {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_SQL_LENGTH, 1) }
    func databaseDidRollback(_ db: Database) {}
}
