import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// A new sync function, and the effect of `_resync` on existing documents.
@Suite(.timeLimit(.minutes(1))) struct ResyncTests {
    private static let ann = Requester.user("ann")

    /// Documents name their channels in `channels` and in `places`; the second function reads the latter.
    private func prepare(_ test: TestDatabase) async throws {
        try await test.putUser("ann", channels: ["north"])  // 1
        try await test.put("a", ["channels": ["north"], "places": ["south"]])  // 2
        try await test.put("b", ["channels": ["south"], "places": ["north"]])  // 3
        try await test.put("same", ["channels": ["north"], "places": ["north"]])  // 4
        try await test.put("gone", ["channels": ["north"], "places": ["north"]])  // 5
        try await test.delete("gone")  // 6
    }

    private func resync(_ test: TestDatabase, _ request: ResyncRequest = ResyncRequest()) async throws -> ResyncStatus {
        _ = try test.database.maintenance.startResync(request)
        await test.resyncEnd()
        return test.database.maintenance.resyncStatus
    }

    @Test(arguments: StoreEngine.allCases) func channelsFollowTheNewFunction(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await prepare(test)
            try await test.database.set(.sync, to: "places", of: TestDatabase.collection)
            #expect(try await test.feed(Self.ann, since: SequenceID(6)) == [], "nothing moves by itself")
            test.database.goOffline()
            let status = try await resync(test)
            #expect(status.state == .completed)
            #expect([status.processed, status.changed] == [4, 2])
            try test.database.goOnline()
            #expect(try await test.feed(Self.ann, since: SequenceID(6)) == ["7 -a", "8 b"])
            #expect(try await test.body("a", as: Self.ann) == "403")
            test.database.goOffline()
            #expect(try await resync(test).changed == 0)
        }
    }

    /// A new function must not exceed the limit of grants to one user by all documents. The document gets its channels
    /// all the same: a user who may not see it any more must not keep it because of the limit.
    @Test(arguments: StoreEngine.allCases) func whatGrantsTooMuchGrantsNothing(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            // Takes note of no grants.
            try await test.database.set(.sync, to: "old", of: TestDatabase.collection)
            let limit = AccessLimits.grantsPerPrincipal
            let names = JSONValue.array((0..<(limit - 1)).map { .string("c\($0)") })
            try await test.put("a", ["access": .object(["ann": names])])
            try await test.put("b", ["places": ["south"], "access": ["ann": ["x", "y"]]])
            try await test.put("c", ["access": ["ann": ["z"]]])
            try await test.database.set(.sync, to: "places", of: TestDatabase.collection)
            test.database.goOffline()
            let status = try await resync(test)
            #expect(status.state == .completed)
            #expect([status.processed, status.changed, status.errored] == [3, 3, 1])
            #expect(status.lastError.hasSuffix("b: \(Self.tooMuch)"), "\(status.lastError)")
            #expect(status.lastError.contains("ann") && status.lastError.contains("a role that has them"))
            try test.database.goOnline()
            let held = try await test.channels(of: "ann")
            #expect(held.count == limit && held.contains("z") && !held.contains("x"))
            try await test.putUser("sam", channels: ["south"])
            #expect(try await test.body("b", as: .user("sam")) != "403")
        }
    }

    private static let tooMuch =
        "Documents would grant \(AccessLimits.grantsPerPrincipal + 1) channels and roles to ann; "
        + "\(AccessLimits.grantsPerPrincipal) are allowed. Grant fewer, wider channels, or a role that has them"

    /// Refused documents are removed from all laptops; the operator sees their number before the database goes online
    /// again.
    @Test(arguments: StoreEngine.allCases) func refusedDocumentsAreCounted(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await prepare(test)
            try await test.database.set(.sync, to: "refuse", of: TestDatabase.collection)
            test.database.goOffline()
            let status = try await resync(test)
            #expect(status.state == .completed && status.errored == 0)
            #expect(status.refused == status.processed && status.refused == 4)
            #expect(status.json["docs_refused"] == 4)
            #expect(status.json["warning"]?.stringValue?.contains("refused 4 of 4 documents") == true)
            try await test.database.set(.sync, to: "places", of: TestDatabase.collection)
            let again = try await resync(test)
            #expect(again.refused == 0 && again.json["docs_refused"] == 0 && again.json["warning"] == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases) func accessFollowsTheNewFunction(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            try await test.put("g", ["access": ["ann": ["x"]]])
            // A decision of a function that has been replaced since.
            try await test.replaceStored("g", body: "{}")
            test.database.goOffline()
            #expect(try await resync(test).changed == 1)
            try test.database.goOnline()
            #expect(try await test.channels(of: "ann") == [])
        }
    }

    /// As with Sync Gateway: the replaced revision, as long as it is remembered.
    @Test(arguments: StoreEngine.allCases) func theOldDocumentIsTheOneThatWasReplaced(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            let first = try await test.put("a", ["channels": ["north"]])
            _ = try await test.write(
                DocumentWrite(
                    id: "a", body: JSONValue.object(["channels": ["south"]]).bytes,
                    edit: .new(replacing: first.revision)))
            try await test.put("new", ["channels": ["south"]])
            try await test.putUser("ann", channels: ["north"])
            try await test.database.set(.sync, to: "old", of: TestDatabase.collection)
            test.database.goOffline()
            _ = try await resync(test)
            try test.database.goOnline()
            #expect(try await test.body("a", as: Self.ann) != "403")
            #expect(try await test.body("new", as: Self.ann) == "403")
        }
    }

    @Test(arguments: StoreEngine.allCases) func aDocumentThatIsRefusedNowIsInNoChannel(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await prepare(test)
            try await test.replaceStored("a", body: #"{"forbidden":"no"}"#)
            test.database.goOffline()
            #expect(try await resync(test).changed == 1)
            #expect(try await test.count(.documents) == 4)
            try test.database.goOnline()
            #expect(try await test.feed(Self.ann, since: SequenceID(6)) == ["7 -a"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func everySequenceMayBeMadeAgain(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await prepare(test)
            test.database.goOffline()
            #expect(try await resync(test, ResyncRequest(movesAll: true)).changed == 4)
            try test.database.goOnline()
            #expect(try await test.feed(since: SequenceID(6)) == ["7 a", "8 b", "9 same", "10 -gone"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func itNeedsAnOfflineDatabase(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            let database = test.database
            #expect(throws: GatewayError(503, reason: "Database must be _offline before calling /_resync")) {
                try database.maintenance.startResync(ResyncRequest())
            }
            #expect(throws: GatewayError(400, reason: "Database _resync is not running")) {
                try database.maintenance.stopResync()
            }
            database.goOffline()
            let unknown = try CollectionName(scope: "x", name: "y")
            #expect(throws: GatewayError.self) {
                try database.maintenance.startResync(ResyncRequest(collections: [unknown]))
            }
            #expect(database.state == .offline)
        }
    }

    /// A client that asks for the database gets it when the resync is over, not in the middle of it.
    @Test(arguments: StoreEngine.allCases) func goingOnlineWaits(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            for number in 0..<(GatewayLimits.resyncBatch * 2) {
                try await test.put("d\(number)", ["channels": ["a"], "places": ["b"]])
            }
            let database = test.database
            try await database.set(.sync, to: "places", of: TestDatabase.collection)
            database.goOffline()
            _ = try database.maintenance.startResync(ResyncRequest())
            // The call is refused, or the resync has already ended.
            try? database.goOnline()
            await test.resyncEnd()
            try database.goOnline()
            #expect(database.maintenance.resyncStatus.changed == GatewayLimits.resyncBatch * 2)
            #expect(database.state == .online)
        }
    }
}
