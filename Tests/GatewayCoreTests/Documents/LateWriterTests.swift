import Dispatch
import DocumentValues
import Testing

@testable import GatewayCore

/// Waiting writes of a user who is shut out.
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

    /// Others keep the writer busy, so the turn comes late. If the user signs in again before that, the write is
    /// refused all the same.
    @Test(arguments: ["disabled", "deleted", "disabled for a moment", "nothing"])
    func nothingIsStoredWhenTheTurnComesTooLate(what: String) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            let database = test.database
            let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let others: Void = database.store.write(for: "eve", work: GatewayLimits.workOfCommit) { _ in
                hasBegun.signal()
                mayEnd.hold()
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    hasBegun.wait()
                    continuation.resume()
                }
            }
            // The administrator's write has its turn before hers.
            let changes = ["disabled": ["true"], "disabled for a moment": ["true", "false"]][what] ?? []
            async let shutOut: Void = {
                for state in changes {
                    _ = try await database.principals.putUser("ann", json: Array(#"{"disabled":\#(state)}"#.utf8))
                }
                if what == "deleted" { try await database.principals.deleteUser("ann") }
            }()
            let store = try test.store
            if what != "nothing" { while store.waitingWrites < 1 { await Task.yield() } }
            let write = DocumentWrite(id: "late", body: Array("{}".utf8))
            async let results = database.documents.write([write], in: .default, as: .user("ann"))
            while store.waitingWrites < (what == "nothing" ? 1 : 2) { await Task.yield() }
            mayEnd.signal()
            try await others
            try await shutOut
            let result = await results[0]
            let status: Int? = if case .failure(let error) = result { error.status } else { nil }
            #expect(status == (what == "nothing" ? nil : 401))
        }
    }
}
