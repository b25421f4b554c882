import DocumentValues
import Testing

@testable import GatewayCore

/// A request that names one document again and again.
@Suite(.timeLimit(.minutes(1))) struct RepeatedRowTests {
    @Test(arguments: StoreEngine.allCases) func eachRowIsDecidedByWhatTheOneBeforeLeft(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            let first = try await test.put("d", ["n": 0])
            let known = "\(first.revision)"
            // A conflict, a change, the same change again, and a deletion of the result.
            let rows = [
                DocumentWrite(id: "d", body: Array(#"{"_rev":"1-zz","n":1}"#.utf8)),
                DocumentWrite(id: "d", body: Array("{\"_rev\":\"\(known)\",\"n\":2}".utf8)),
                DocumentWrite(id: "d", body: Array("{\"_rev\":\"\(known)\",\"n\":3}".utf8)),
                DocumentWrite(id: "other", body: Array("{}".utf8)),
            ]
            let results = await test.database.documents.write(rows, in: .default, as: .admin)
            let statuses = results.map { result -> Int in
                if case .failure(let error) = result { error.status } else { 201 }
            }
            #expect(statuses == [409, 201, 409, 201])
            let stored = try await test.database.documents.read("d", in: .default, as: .admin)
            #expect(stored.body == Array(#"{"n":2}"#.utf8))
        }
    }
}
