import AccessControl
import Dispatch
import DocumentValues
import Foundation
import Logging
import SyncFunction
import Testing

@testable import GatewayCore

/// One writer serves all users of a database: a user with many writes does not keep others waiting.
@Suite(.timeLimit(.minutes(1))) struct WriterTurnsTests {
    @Test func anotherUsersWriteComesNext() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("turns-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        // Each of eve's writes is a commit, and takes a sequence.
        let store = try SQLiteStore(path: folder.path + "/x", logger: logger)
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let commitsBefore = try await withThrowingTaskGroup(of: UInt64?.self) { group in
            group.addTask {
                try await store.write(for: "eve", work: GatewayLimits.workOfCommit) { transaction in
                    _ = try await transaction.nextSequence()
                    hasBegun.signal()
                    mayEnd.hold()
                }
                return nil
            }
            await Self.wait(for: hasBegun)
            for _ in 0..<200 {
                group.addTask {
                    try await store.write(for: "eve", work: GatewayLimits.workOfCommit) {
                        _ = try await $0.nextSequence()
                    }
                    return nil
                }
            }
            while store.waitingWrites < 200 { await Task.yield() }
            group.addTask { try await store.write(for: "ann") { _ in store.commits.lastSequence } }
            while store.waitingWrites < 201 { await Task.yield() }
            mayEnd.signal()
            return try await group.reduce(nil) { $0 ?? $1 }
        }
        #expect((commitsBefore ?? .max) <= 2)
        #expect(store.commits.lastSequence == 201)
        try await store.close()
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    /// A request of 50 documents in 1,000 channels each is no transaction of 50,000 rows.
    @Test func channelsGrantsAttachmentsAndBytesAreWork() throws {
        func work(_ body: JSONValue = [:], channels: Int = 0, granted: Int = 0) throws -> Int {
            let write = DocumentWrite(id: "d", body: body.bytes, edit: .new(replacing: nil))
            let verdict = try WritePlan.make(
                IncomingDocument(write, now: 0), state: nil,
                rules: GatewayDatabaseConfiguration([:]).writeRules(for: .all))
            guard case .planned(let plan) = verdict else { return 0 }
            let outcome = SyncFunctionOutcome(
                channels: Self.names(channels), access: ["ann": Self.names(granted), "bob": Self.names(granted)])
            return plan.work(SyncDecision(outcome), promoted: nil)
        }
        #expect(try work() == 1)
        #expect(try work(channels: 1_000) == 1_001)
        #expect(try work(granted: 1_000) == 2_001)
        let attachment: JSONValue = ["data": "eA==", "content_type": "text/plain"]
        #expect(try work(["_attachments": ["a": attachment, "b": attachment]]) == 3)
        #expect(try work(["a": .string(String(repeating: "x", count: 400 << 10))]) == 101)
    }

    private static func names(_ count: Int) -> Set<Name> { Set((0..<count).map { Name("c\($0)") }) }

    @Test func documentsOfManyChannelsEndInParts() async throws {
        try await TestDatabase.run { test in
            let channels = JSONValue.array(Self.names(1_000).map { .string($0.text) })
            for number in 0..<30 { try await test.put("d\(number)", ["channels": channels, "_exp": 10]) }
            test.pass(seconds: 20)
            var pass = ExpiryPass()
            let mayBeMore = try await test.database.documents.expireDocuments(in: &pass)
            #expect(mayBeMore, "30,000 rows are more than a transaction's")
            let areMoreLeft = try await test.database.documents.expireDocuments(in: &pass)
            #expect(!areMoreLeft && pass.failure == nil)
            #expect(try await test.database.documents.nextExpiry() == nil)
        }
    }
}
