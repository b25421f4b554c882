import DocumentValues
import Testing

@testable import GatewayCore
@testable import SyncProtocol

/// The metrics show events that a client cannot cause by itself.
@Suite(.timeLimit(.minutes(1))) struct ActivityTests {
    /// Its client sends the write again; the operator need not look for an error in it.
    @Test func whatAGoneClientBroughtWasNotRefused() async throws {
        try await TestDatabase.run { test in
            let backend = DatabaseSyncBackend(database: test.database, requester: .admin, version: .version3)
            let push = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await backend.store([.test("a", "1-x", "{}"), .test("b", "1-x", "{}")], collection: 0)
            }
            push.cancel()
            let stored = try await push.value.count { $0 == .stored }
            #expect(backend.tally == ConnectionTally(received: stored))
            #expect(test.database.activity.values.sync.refused == 0)
            _ = try await backend.store([.test("c", "1-x", "{")], collection: 0)
            #expect(backend.tally.refused == 1 && test.database.activity.values.sync.refused == 1)
        }
    }

    @Test func revisionsThatAreGoneWhenTheyAreWanted() async throws {
        try await TestDatabase.run { test in
            try await test.put("a", ["v": 1])
            let backend = DatabaseSyncBackend(database: test.database, requester: .admin, version: .version3)
            let requests = ["a", "gone"].map { RevisionRequest(documentID: $0, revision: "1-x") }
            #expect(try await backend.load(requests, collection: 0).count == 2)
            let counts = test.database.activity.values
            #expect(counts.sync.sent == 1 && counts.sync.unavailable == 1)
            #expect(counts.counts(of: .default).reads == 1)
        }
    }
}
