import DocumentValues
import Foundation
import SQLiteStorage
import Testing

@testable import GatewayCore

/// A compaction gives space back to the disk, and uses none that other work needs.
@Suite(.timeLimit(.minutes(1))) struct CompactionTests {
    private static func size(of suffix: String = "", in test: TestDatabase) throws -> Int {
        let path = "\(test.database.store.folder)/\(DatabaseParts.fileName)\(suffix)"
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    /// Returns the status at the end; it waits no longer than the test's time limit.
    private static func compact(_ test: TestDatabase) async throws -> CompactionStatus {
        let maintenance = test.database.maintenance
        _ = try maintenance.startCompaction(.tombstone)
        while !maintenance.compactionStatus(.tombstone).isOver { await Task.yield() }
        return maintenance.compactionStatus(.tombstone)
    }

    /// Makes a file with mostly free pages.
    private static func free(_ bytes: Int, in test: TestDatabase) async throws {
        try await test.putAttachment("photo", bytes: bytes)
        _ = try await test.database.documents.purge(["photo"], in: TestDatabase.collection)
    }

    @Test func whereThereIsNoRoomForTheCopyNothingIsTried() async throws {
        try await TestDatabase.run { test in
            try await Self.free(4 << 20, in: test)
            let before = try Self.size(in: test)
            test.leave(GatewayLimits.spareSpace)
            let refused = try await Self.compact(test)
            #expect(refused.state == .error)
            #expect(refused.lastError.contains("and \(GatewayLimits.spareSpace) are left"), "\(refused.lastError)")
            #expect(try Self.size(in: test) == before)
            test.leave(1 << 40)
            let done = try await Self.compact(test)
            #expect(done.state == .completed && done.lastError.isEmpty)
            #expect(try Self.size(in: test) < before - (3 << 20))
            #expect(try Self.size(of: "-wal", in: test) == 0)
        }
    }

    /// A compaction that is not worth it needs no room.
    @Test func aFullDiskKeepsNoSmallDatabaseFromItsOtherSteps() async throws {
        try await TestDatabase.run { test in
            try await test.put("a", [:])
            test.leave(0)
            let done = try await Self.compact(test)
            #expect(done.state == .completed)
            #expect(test.database.isDiskFull)
        }
    }

    /// A write that found no room has left a long log, and no later write on a full disk shortens it.
    @Test func housekeepingShortensTheLogWhereTheDiskIsFull() async throws {
        try await TestDatabase.run { test in
            try await Self.free(1 << 20, in: test)
            try await test.put("small", [:])
            await test.maintain()
            #expect(try Self.size(of: "-wal", in: test) > 0)
            test.database.store.disk.note(GatewayError.diskFull)
            await test.maintain()
            #expect(try Self.size(of: "-wal", in: test) == 0)
        }
    }

    @Test func theCopyAndTheLogTakeRoomWhereTheyAre() throws {
        let copy = CompactedCopy(pages: 100, free: 40, pageSize: 4_096)
        #expect(copy.saved == 40 * 4_096)
        let (file, log) = (60 * 4_096, 60 * 4_120 + 10)
        func check(temporary: String, _ space: [String: Int]) throws {
            try copy.checkRoom(in: "/", temporary: temporary, margin: 10) { space[$0] }
        }
        try check(temporary: "/", ["/": file + log])
        #expect(throws: GatewayError.noRoomToCompact("/", needed: file + log, left: file + log - 1)) {
            try check(temporary: "/", ["/": file + log - 1])
        }
        try check(temporary: "/proc", ["/": log, "/proc": file])
        #expect(throws: GatewayError.noRoomToCompact("/", needed: log, left: log - 1)) {
            try check(temporary: "/proc", ["/": log - 1, "/proc": file])
        }
        #expect(throws: GatewayError.noRoomToCompact("/proc", needed: file, left: 0)) {
            try check(temporary: "/proc", ["/": log, "/proc": 0])
        }
        // If the system does not report the free space, only the attempt shows it.
        try check(temporary: "/", [:])
    }

    @Test func temporaryFilesAreWhereSQLiteMakesThem() throws {
        let folder = FileManager.default.temporaryDirectory.path
        #expect(TemporaryFolder.ofSQLite(["SQLITE_TMPDIR": "/nowhere", "TMPDIR": folder]) == folder)
        #expect(TemporaryFolder.ofSQLite(["SQLITE_TMPDIR": folder, "TMPDIR": "/tmp"]) == folder)
        #expect(TemporaryFolder.ofSQLite([:]) == "/var/tmp")
    }
}
