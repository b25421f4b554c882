import DocumentValues
import GRDB
import Synchronization
import Testing

@testable import GatewayCore

/// Failures of the storage are there for the operator: their kind and time, and nothing of the data.
@Suite(.timeLimit(.minutes(1))) struct StorageFaultTests {
    private static let kinds: [(ResultCode, String)] = [
        (.SQLITE_IOERR, "io_error"), (.SQLITE_IOERR_READ, "io_error"), (.SQLITE_FULL, "full_disk"),
        (.SQLITE_CORRUPT, "damaged"), (.SQLITE_NOTADB, "damaged"), (.SQLITE_CANTOPEN, "inaccessible"),
        (.SQLITE_INTERRUPT, "interrupted"), (.SQLITE_CONSTRAINT, "other"),
    ]

    @Test(arguments: kinds) func aFailureHasItsKind(code: ResultCode, kind: String) {
        let faults = StorageFaults()
        faults.note(DatabaseError(resultCode: code, message: "/a/path"), at: 1_800_000_000)
        #expect(faults.last == StorageFault(kind: kind, time: 1_800_000_000))
        #expect(faults.last?.json == ["kind": .string(kind), "time": "2027-01-15T08:00:00Z"])
        #expect(faults.counts.filter { $0.count > 0 }.map(\.kind) == [kind])
        #expect(faults.counts.count == StorageFailure.Kind.allCases.count)
    }

    @Test func rowsAndTheReserveCountToo() {
        let faults = StorageFaults()
        faults.note(GatewayError.damaged("revision tree"))
        faults.note(DamagedPrincipal(key: "ann"))
        #expect(faults.last?.kind == "damaged")
        faults.note(GatewayError.diskFull)
        #expect(faults.last?.kind == "full_disk")
        let counts = faults.counts.filter { $0.count > 0 }.map { "\($0.kind) \($0.count)" }
        #expect(counts == ["full_disk 1", "damaged 2"])
        for other in [GatewayError.missing, .underMaintenance, .invalidLogin] { faults.note(other) }
        #expect(faults.last?.kind == "full_disk", "refusals are no failures of the storage")
    }

    /// SQLite reports a statement that was stopped by its own code; the data may be intact.
    @Test func aStoppedStatementIsNoDamage() async {
        let damage = StoreDamage()
        let stopped = DatabaseError(resultCode: .SQLITE_INTERRUPT, message: "interrupted")
        damage.note(stopped)
        #expect(damage.reason == nil && damage.faults.last?.kind == "interrupted")
        #expect(GatewayError(stopped) == .givenUp)
        // The client has left, and so the statement was stopped.
        let other = StoreDamage()
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { other.note(stopped) }
        }
        #expect(other.faults.last == nil)
    }

    @Test func aKindIsReportedOnceAMinute() {
        let faults = StorageFaults()
        let reports = Mutex<[String]>([])
        faults.onFault { detail in reports.withLock { $0.append(detail) } }
        let failure = DatabaseError(resultCode: .SQLITE_IOERR, message: "disk I/O error")
        for time in [0, 59, 60, 61] as [Int64] { faults.note(failure, at: time) }
        faults.note(DatabaseError(resultCode: .SQLITE_CORRUPT, message: "malformed"), at: 61)
        #expect(reports.withLock(\.count) == 2)
        #expect(reports.withLock { $0.allSatisfy { $0.contains("disk I/O error") } })
        #expect(faults.counts.first { $0.kind == "io_error" }?.count == 4)
    }

    @Test func aFullDatabaseIsShown() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            #expect(test.database.storageFault == nil)
            try await test.store.setRoomForSessions(false)
            await #expect(throws: (any Error).self) { try await test.database.principals.createSession(user: "ann") }
            #expect(test.database.storageFault?.kind == "full_disk")
        }
    }
}
