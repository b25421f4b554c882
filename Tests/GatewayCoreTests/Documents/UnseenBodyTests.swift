import DocumentValues
import Testing

@testable import GatewayCore

/// If a user requests documents of others, the gateway reads their rows but not their bodies.
@Suite struct UnseenBodyTests {
    private static let large = String(repeating: "x", count: GatewayLimits.bytesReadUnseen)

    private static func prepare(_ test: TestDatabase) async throws {
        for name in ["ann", "eve"] { try await test.putUser(name, channels: [name]) }
        try await test.put("large", ["channels": ["ann"], "text": .string(large)])
        try await test.put("small", ["channels": ["ann"], "text": "x"])
    }

    private static func lengths(_ test: TestDatabase, as requester: Requester) async throws -> [Int] {
        try await test.database.documents.reading(TestDatabase.collection, as: requester) { reader in
            var lengths: [Int] = []
            for id in ["large", "small"] { lengths.append(try await reader.find(id)?.body.count ?? -1) }
            return lengths
        }
    }

    @Test(arguments: StoreEngine.allCases) func whatIsLargeIsReadForThoseWhoSeeIt(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await Self.prepare(test)
            let whole = try await Self.lengths(test, as: .admin)
            #expect(whole[0] > Self.large.utf8.count && whole[1] > 0)
            #expect(try await Self.lengths(test, as: .user("ann")) == whole)
            #expect(try await Self.lengths(test, as: .user("eve"))[0] == 0)
            #expect(try await test.body("large", as: .user("ann")).contains(Self.large))
            #expect(try await test.body("large", as: .user("eve")) == "403")
        }
    }

    @Test(arguments: StoreEngine.allCases) func aListOfKeysHasARowForEach(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await Self.prepare(test)
            let request = AllDocumentsRequest(keys: ["large", "none", "small"], includesDocuments: true)
            func rows(_ requester: Requester) async throws -> [String] {
                let documents = test.database.documents
                return try await documents.allDocuments(request, in: TestDatabase.collection, as: requester).rows.map {
                    switch $0 {
                    case .document(let document): "\(document.id) \(document.body.count > 2)"
                    case .failed(let key, let error): "\(key) \(error.status)"
                    }
                }
            }
            #expect(try await rows(.user("ann")) == ["large true", "none 404", "small true"])
            #expect(try await rows(.user("eve")) == ["large 403", "none 404", "small 403"])
        }
    }
}
