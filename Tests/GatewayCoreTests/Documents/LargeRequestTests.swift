import DocumentValues
import Testing

@testable import GatewayCore

/// What one request can make the gateway hold or do is bounded by more than the number of its rows.
@Suite(.timeLimit(.minutes(1))) struct LargeRequestTests {
    private static let ids = ["a", "b", "c", "d", "e"]

    /// Documents of which two fill a page.
    private static func fill(_ test: TestDatabase) async throws {
        let text = String(repeating: "x", count: GatewayLimits.pageOfDocuments * 6 / 10)
        for id in ids { try await test.put(id, ["text": .string(text)]) }
    }

    // MARK: Lists with documents

    @Test func aListEndsWhereItsDocumentsGetLarge() async throws {
        try await TestDatabase.run { test in
            try await Self.fill(test)
            func page(_ request: AllDocumentsRequest) async throws -> AllDocumentsPage {
                try await test.database.allDocuments(request, in: TestDatabase.collection, as: .admin)
            }
            let often = try await page(
                AllDocumentsRequest(keys: Array(repeating: "a", count: 200), includesDocuments: true))
            #expect(often.rows.count == 2 && often.isFull)
            let all = try await page(AllDocumentsRequest(includesDocuments: true))
            #expect(all.rows.count == 2 && all.isFull)
            let end = try await page(AllDocumentsRequest(startKey: "e", includesDocuments: true))
            #expect(end.rows.count == 1 && !end.isFull)
            let without = try await page(AllDocumentsRequest())
            #expect(without.rows.count == 5 && !without.isFull)
        }
    }

    @Test(arguments: [nil, LargeRequestTests.ids]) func aFeedsPageEndsWhereItsDocumentsGetLarge(ids: [String]?)
        async throws
    {
        try await TestDatabase.run { test in
            try await Self.fill(test)
            let feed = try test.database.changes(
                ChangesRequest(collection: TestDatabase.collection, documentIDs: ids, includesDocuments: true),
                as: .admin)
            var told: [String] = []
            var batch: ChangesBatch
            repeat {
                batch = try await feed.next(limit: 500)
                #expect(batch.rows.count <= 2)
                #expect(batch.rows.allSatisfy { $0.document != nil })
                told += batch.rows.map(\.id)
            } while !batch.isCaughtUp && told.count < 10
            #expect(told == Self.ids)
        }
    }
}
