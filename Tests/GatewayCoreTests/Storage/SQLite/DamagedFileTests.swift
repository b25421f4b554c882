import DocumentValues
import Foundation
import GRDB
import SyncProtocol
import Synchronization
import Testing

@testable import GatewayCore

/// A database with a damaged file does not pass as intact.
@Suite(.timeLimit(.minutes(1))) struct DamagedFileTests {
    private static let page = 4_096
    /// The pages of its tables, and of the rows that opening it needs.
    private static let pagesOfTables = 128
    private static let body = #"{"text":""# + String(repeating: "x", count: 100_000) + #""}"#

    /// With documents of 100 KB behind its tables.
    private func fill(_ path: String) async throws {
        let store = try StoreEngine.sqlite.open(path)
        for number in 0..<20 {
            try await store.write { transaction in
                _ = try await transaction.documents.insert(
                    .test(.test(1), at: try await transaction.nextSequence(), body: Self.body), id: "d\(number)", in: 1)
            }
        }
        try await store.close()
        // Writes into the file itself, since pages in the log would be read from there.
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
    }

    @Test func oneThatWasCutOffIsNotOpened() async throws {
        try await StoreEngine.sqlite.inFolder { path in
            try await fill(path)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            let size = try file.seekToEnd()
            try file.truncate(atOffset: size - UInt64(Self.page))
            try file.close()
            let error = #expect(throws: DatabaseError.self) { try StoreEngine.sqlite.open(path) }
            #expect(error?.resultCode == .SQLITE_CORRUPT)
        }
    }

    /// Damage in the middle of the file shows only when the damaged page is read.
    @Test func oneThatIsReadIsMarkedOnce() async throws {
        try await StoreEngine.sqlite.inFolder { path in
            try await fill(path)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            let size = try file.seekToEnd()
            let whole = Self.page * Self.pagesOfTables
            try file.seek(toOffset: UInt64(whole))
            try file.write(contentsOf: Data(repeating: 0x78, count: Int(size) - whole))
            try file.close()
            let damage = StoreDamage()
            damage.note(GatewayError.diskFull)
            #expect(damage.reason == nil)
            let store = try StoreEngine.sqlite.open(path)
            await #expect(throws: DatabaseError.self) {
                try await store.read { try await $0.documents.page(in: 1, after: 0, limit: 100) }
            }
            #expect(store.damage.reason != nil && store.damage.faults.last?.kind == "damaged")
            try await store.close()
            let reports = Reports()
            damage.onChange { reports.add($0) }
            for _ in 0..<2 { damage.note(DatabaseError(resultCode: .SQLITE_CORRUPT, message: "malformed")) }
            #expect(reports.all == ["malformed"] && damage.reason == "malformed")
            let answer = GatewayError(DatabaseError(resultCode: .SQLITE_NOTADB))
            #expect(answer.status == 503 && answer.reason.contains("damaged"))
        }
    }

    /// SQLite finds no error in it, and laptops only skip it.
    @Test func aDocumentThatNoLaptopCanReadIsNamed() async throws {
        try await TestDatabase.run { test in
            for id in ["whole", "broken"] { try await test.put(id, ["text": "x"]) }
            try await test.store.makeUnreadable(.body(ofDocument: "broken"))
            let backend = DatabaseSyncBackend(database: test.database, requester: .admin, version: .version3)
            let other = RevisionID(generation: 9, digest: "a")
            _ = try await backend.load([.test("whole", from: other)], collection: 0)
            #expect(test.database.damage == nil)
            _ = try await backend.load([.test("whole", from: other), .test("broken", from: other)], collection: 0)
            let damage = try #require(test.database.damage)
            #expect(damage.contains(" broken cannot be read") && damage.contains("restore --replace"), "\(damage)")
            #expect(test.database.storageFault?.kind == "damaged")
        }
    }
}

private final class Reports: Sendable {
    private let reports = Mutex<[String]>([])
    var all: [String] { reports.withLock(\.self) }
    func add(_ report: String) { reports.withLock { $0.append(report) } }
}
