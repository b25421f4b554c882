import DocumentValues
import Testing

@testable import GatewayCore

/// Requests during a change of the configuration, and decisions by the old one.
@Suite(.timeLimit(.minutes(1))) struct ConcurrentConfigurationTests {
    private static let collection = TestDatabase.collection

    /// The status of the error; 200 if there is none.
    private static func status(_ body: () async throws -> Void) async throws -> Int {
        do { try await body() } catch let error as GatewayError { return error.status }
        return 200
    }

    private func channels(of id: String, _ test: TestDatabase) async throws -> Set<Name> {
        Set(try await test.details(id).current.keys)
    }

    // MARK: Writes

    /// The resync has not seen such a write, and no other pass will check it again.
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

    // MARK: Configurations

    /// The later configuration was derived from the one that the first change has replaced.
    @Test func ofTwoChangesAtOnceTheSecondIsRefused() async throws {
        let functions = HeldFunctions()
        try await TestDatabase.run(functions: functions) { test in
            functions.compilations.close()
            async let status = Self.status {
                try await test.database.set(.sync, to: "places", of: Self.collection)
            }
            await functions.compilations.arrival()
            _ = try await test.database.configure(Array(#"{"revs_limit":33}"#.utf8), merging: true)
            functions.compilations.open()
            #expect(try await status == 412)
            let json = test.database.configuration().json
            #expect(json["revs_limit"] == 33 && json["sync"] == nil)
        }
    }

    /// The change would put the database online during the resync.
    @Test func aChangeIsRefusedWhereAResyncHasBegun() async throws {
        let functions = HeldFunctions()
        try await TestDatabase.run(functions: functions) { test in
            try await test.put("a", ["channels": ["north"]])
            test.database.goOffline()
            functions.compilations.close()
            async let status = Self.status {
                _ = try await test.database.configure(Array(#"{"sync":"places"}"#.utf8), merging: false)
            }
            await functions.compilations.arrival()
            functions.runs.close()
            _ = try test.database.maintenance.startResync(ResyncRequest())
            await functions.runs.arrival()
            functions.compilations.open()
            #expect(try await status == 503)
            #expect(test.database.state == .resyncing)
            functions.runs.open()
            await test.resyncEnd()
            #expect(test.database.state == .offline)
            #expect(try test.database.text(of: .sync, of: Self.collection) == "")
        }
    }

    /// Nor does a resync begin with functions that are about to be replaced.
    @Test func aResyncWaitsUntilAConfigurationIsStored() async throws {
        try await TestDatabase.run { test in
            test.database.goOffline()
            let status = test.database.status
            try status.beginConfiguring(status.configurationVersion)
            #expect(throws: GatewayError.self) { try test.database.maintenance.startResync(ResyncRequest()) }
            await #expect(throws: GatewayError.self) {
                try await test.database.configure(Array(#"{"revs_limit":33}"#.utf8), merging: true)
            }
            status.endConfiguring()
            _ = try await test.database.configure(Array(#"{"revs_limit":33}"#.utf8), merging: true)
            _ = try test.database.maintenance.startResync(ResyncRequest())
            await test.resyncEnd()
        }
    }
}
