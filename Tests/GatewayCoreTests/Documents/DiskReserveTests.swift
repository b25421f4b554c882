import DocumentValues
import Foundation
import Glibc
import GRDB
import SQLiteStorage
import Synchronization
import Testing

@testable import GatewayCore

/// Who revokes, deletes or purges finds room on a full disk; who fills it does not.
@Suite(.timeLimit(.minutes(1))) struct DiskReserveTests {
    private static func size(_ store: GatewayStore) throws -> Int? {
        let path = "\(store.folder)/\(DatabaseParts.fileName)-reserve"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    }

    /// A write that finds no room while there is a reserve; returns how often it ran.
    private static func write(_ store: GatewayStore, mayUseReserve: Bool) async throws -> Int {
        let runs = Mutex(0)
        let result = Mutex<(any Error)?>(nil)
        do {
            try await store.write(mayUseReserve: mayUseReserve) { transaction in
                runs.withLock { $0 += 1 }
                if try size(store) != nil { throw DatabaseError(resultCode: .SQLITE_FULL) }
                _ = transaction.nextSequence()
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

    /// What the disk had no room for is set aside when it has.
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

    /// SQLite undoes a whole transaction where it finds no room in the middle of a statement, and all that follows in it fails
    /// for another reason.
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

    /// To erase takes as much for a while as what is erased; together these three take more than the reserve.
    @Test(.enabled(if: LoopDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."))
    func largeDocumentsArePurgedOnAFullDisk() async throws {
        let disk = try LoopDisk(size: 192 << 20)
        let ids = ["a", "b", "c"]
        try await TestDatabase.run(in: disk.folder) { test in
            for (number, id) in ids.enumerated() {
                let bytes = [UInt8](repeating: UInt8(number), count: GatewayLimits.attachmentSize)
                let digest = BlobDigest(of: bytes)
                let follows: JSONValue = [
                    "follows": true, "digest": .string(digest.text),
                ]
                _ = try await test.write(
                    DocumentWrite(
                        id: id, body: JSONValue.object(["_attachments": ["f": follows]]).bytes,
                        edit: .new(replacing: nil), attachments: [digest: .bytes(bytes)]))
            }
            // A log that is empty, and the reserve once more.
            try await test.reopen()
            try disk.fill()
            let purged = try await test.database.documents.purge(ids, in: TestDatabase.collection)
            #expect(purged == ids)
        }
    }

    /// Other file systems leave nothing of what they could not set aside as a whole.
    @Test(.enabled(if: LoopDisk.canBeMade, "A disk of its own needs root, mkfs.ext4 and loop devices."))
    func aReserveIsMadeOfWhatIsLeft() throws {
        let disk = try LoopDisk(size: 48 << 20)
        let spare = 256 << 10
        let reserve = DiskReserve(disk.folder.appendingPathComponent("reserve").path, size: 64 << 20)
        for _ in 1...2 {
            reserve.fill(sparing: spare)
            // The file's own list of blocks takes one or two of them.
            #expect(try disk.free() > spare / 2)
            #expect(reserve.release())
            #expect(try disk.free() > 16 << 20)
        }
    }
}

/// A disk in a file, for what a file system of its own is needed for.
private final class LoopDisk: Sendable {
    let folder: URL
    private let image: URL

    static let canBeMade = (try? LoopDisk(size: 8 << 20)) != nil

    init(size: Int) throws {
        let root = FileManager.default.temporaryDirectory
        folder = root.appendingPathComponent("disk-\(UUID().uuidString)")
        image = root.appendingPathComponent("\(folder.lastPathComponent).image")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: image.path, contents: nil)
        try FileHandle(forWritingTo: image).truncate(atOffset: UInt64(size))
        try Self.run("mkfs.ext4", "-q", "-m", "0", image.path)
        try Self.run("mount", "-o", "loop", image.path, folder.path)
    }

    deinit {
        try? Self.run("umount", folder.path)
        try? FileManager.default.removeItem(at: folder)
        try? FileManager.default.removeItem(at: image)
    }

    /// Takes what is left, but for less than a block of files.
    func fill() throws {
        let file = folder.appendingPathComponent("filler")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        for size in [1 << 20, 4 << 10] {
            let portion = Data(repeating: 1, count: size)
            do { while true { try handle.write(contentsOf: portion) } } catch let error as CocoaError {
                guard error.code == .fileWriteOutOfSpace else { throw error }
            }
        }
    }

    func free() throws -> Int {
        let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
        return try #require((attributes[.systemFreeSize] as? NSNumber)?.intValue)
    }

    private static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
    }
}
