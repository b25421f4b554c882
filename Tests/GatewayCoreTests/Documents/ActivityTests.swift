import DocumentValues
import Testing

@testable import GatewayCore
@testable import SyncProtocol

/// What the metrics show of what a client cannot bring about by itself.
@Suite(.timeLimit(.minutes(1))) struct ActivityTests {
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
