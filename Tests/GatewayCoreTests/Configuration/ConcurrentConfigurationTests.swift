import DocumentValues
import Testing

@testable import GatewayCore

/// What happens while a configuration is changed, or while something is decided by the old one.
@Suite(.timeLimit(.minutes(1))) struct ConcurrentConfigurationTests {
    private static let collection = TestDatabase.collection

    /// Its status; 200 for what is not refused.
    private static func status(_ body: () async throws -> Void) async throws -> Int {
        do { try await body() } catch let error as GatewayError { return error.status }
        return 200
    }

    private func channels(of id: String, _ test: TestDatabase) async throws -> Set<Name> {
        Set(try await test.details(id).current.keys)
    }

    // MARK: Writes

    /// The resync has seen nothing of such a write, and nobody else looks at it again.
    @Test(arguments: [false, true])
    func aWriteThatBeganBeforeIsDecidedByTheNewFunction(isNew: Bool) async throws {
        let functions = HeldFunctions()
        try await TestDatabase.run(functions: functions) { test in
            if !isNew { try await test.put("a", ["channels": ["north"], "places": ["south"]]) }
            functions.runs.close()
            async let written = test.put("a", ["channels": ["east"], "places": ["west"]])
            await functions.runs.arrival()
            try await test.database.set(.sync, to: "places", of: Self.collection)
            test.database.goOffline()
            _ = try test.database.maintenance.startResync(ResyncRequest())
            await test.resyncEnd()
            try test.database.goOnline()
            functions.runs.open()
            _ = try await written
            #expect(try await channels(of: "a", test) == ["west"])
        }
    }

    /// Revisions of one document are stored one after the other.
    @Test func theOrderOfARequestStays() async throws {
        let functions = HeldFunctions()
        try await TestDatabase.run(functions: functions) { test in
            let writes = ["1-a", "2-b"].map { revision in
                DocumentWrite(
                    id: "a", body: Array(#"{"channels":["north"],"places":["south"]}"#.utf8),
                    edit: .existing(
                        RevisionID(revision)!, RevisionHistory(revision == "2-b" ? [RevisionID("1-a")!] : [])))
            }
            functions.runs.close()
            async let results = test.database.documents.write(writes, in: Self.collection, as: .admin)
            await functions.runs.arrival()
            try await test.database.set(.sync, to: "places", of: Self.collection)
            functions.runs.open()
            let outcomes = try await results.map { try $0.get() }
            #expect(outcomes.map(\.sequence) == [1, 2])
            #expect(try await channels(of: "a", test) == ["south"])
        }
    }

    @Test func aWriteIsRefusedWhereTheDatabaseHasGoneOffline() async throws {
        let functions = HeldFunctions()
        try await TestDatabase.run(functions: functions) { test in
            functions.runs.close()
            async let status = Self.status { _ = try await test.write(DocumentWrite(id: "a", body: Array("{}".utf8))) }
            await functions.runs.arrival()
            test.database.goOffline()
            functions.runs.open()
            #expect(try await status == 503)
            try test.database.goOnline()
            #expect(try await test.body("a") == "404")
        }
    }
}
