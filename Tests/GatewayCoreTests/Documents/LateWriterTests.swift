import DocumentValues
import Testing

@testable import GatewayCore

/// Writes of somebody who was shut out while they waited.
@Suite(.timeLimit(.minutes(1))) struct LateWriterTests {
    @Test(arguments: ["disabled", "deleted", "nothing"]) func nothingIsStoredAfterwards(what: String) async throws {
        let functions = HeldFunctions()
        try await TestDatabase.run(functions: functions) { test in
            try await test.putUser("ann")
            let database = test.database
            let write = DocumentWrite(id: "late", body: Array("{}".utf8))
            functions.runs.close()
            async let results = database.documents.write([write], in: .default, as: .user("ann"))
            await functions.runs.arrival()
            switch what {
            case "disabled": _ = try await database.principals.putUser("ann", json: Array(#"{"disabled":true}"#.utf8))
            case "deleted": try await database.principals.deleteUser("ann")
            default: break
            }
            functions.runs.open()
            let result = await results[0]
            let status: Int? = if case .failure(let error) = result { error.status } else { nil }
            #expect(status == (what == "nothing" ? nil : 401))
        }
    }
}
