import DocumentValues
import GRDB
import Logging
import Synchronization
import Testing

@testable import GatewayCore

/// A full disk is reported once, and once more when it has room again.
@Suite(.timeLimit(.minutes(1))) struct FullDiskTests {
    @Test func eachChangeIsReportedOnce() {
        let disk = DiskSpace()
        let reports = Mutex<[Bool]>([])
        disk.onChange { isFull in reports.withLock { $0.append(isFull) } }
        let start = ContinuousClock.now
        func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }
        disk.noteSuccess(at: after(0))
        disk.note(GatewayError.missing, at: after(0))
        disk.note(DatabaseError(resultCode: .SQLITE_BUSY), at: after(0))
        #expect(!disk.isFull)
        disk.note(DatabaseError(resultCode: .SQLITE_FULL), at: after(1))
        disk.note(GatewayError.diskFull, at: after(40))
        // Small writes find room where large ones do not.
        disk.noteSuccess(at: after(90))
        #expect(disk.isFull && reports.withLock { $0 } == [true])
        disk.noteSuccess(at: after(100))
        disk.noteSuccess(at: after(101))
        #expect(!disk.isFull && reports.withLock { $0 } == [true, false])
    }

    /// Housekeeping writes in every round, so that no other write is needed.
    @Test func itIsOverWithoutAWrite() async throws {
        try await TestDatabase.run { test in
            let disk = test.database.store.disk
            let maintenance = DatabaseMaintenance(registry: test.opened, logger: Logger(label: "test"))
            disk.note(GatewayError.diskFull)
            _ = await maintenance.round()
            #expect(disk.isFull, "it may become full again at once")
            disk.note(GatewayError.diskFull, at: .now - GatewayLimits.diskCalm)
            #expect(test.database.isDiskFull)
            _ = await maintenance.round()
            #expect(!test.database.isDiskFull)
        }
    }

    /// SQLite's own error, which the code for backups recognizes.
    @Test func aCopyThatFindsNoRoomSaysSo() async throws {
        try await TestDatabase.run { test in
            try await test.put("a", [:])
            let file = StorageEngine.sqlite.file("\(test.database.store.folder)/\(DatabaseParts.fileName)")
            let error = #expect(throws: (any Error).self) { try file.copy(to: "/dev/full") }
            #expect(error.map { GatewayError($0) } == .diskFull)
        }
    }
}
