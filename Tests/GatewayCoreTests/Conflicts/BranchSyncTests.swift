import DocumentValues
import Testing

@testable import GatewayCore
@testable import SyncProtocol

/// The revisions that sync clients get of documents in conflict, and the cost for other documents.
@Suite(.timeLimit(.minutes(1))) struct BranchSyncTests {
    private static let filler = String(repeating: "inspected and found in order. ", count: 10)

    private static func body(_ number: Int, in channel: String) -> JSONValue {
        ["v": .int(number), "channels": [.string(channel)], "note": .string(filler)]
    }

    private func prepare(_ test: TestDatabase) async throws {
        for (user, channels) in [("ann", ["north"]), ("bob", ["south"]), ("eve", ["north", "south"])] {
            try await test.putUser(user, channels: channels)
        }
        try await test.push("d", "1-a", [], Self.body(1, in: "north"))
        try await test.push("d", "2-b", ["1-a"], Self.body(2, in: "north"))
        try await test.push("d", "2-c", ["1-a"], Self.body(3, in: "south"))
    }

    private func backend(_ test: TestDatabase, _ user: String) -> DatabaseSyncBackend {
        DatabaseSyncBackend(database: test.database, requester: .user(Name(user)), version: .version3)
    }

    /// The kind and the id of the revision that a client gets after `revision` was announced to it.
    private func load(
        _ revision: String, from source: String? = nil, _ test: TestDatabase, as user: String
    ) async throws -> String {
        var request = RevisionRequest(documentID: "d", revision: revision)
        request.deltaSource = source.flatMap { RevisionID($0) }
        switch try await backend(test, user).load([request], collection: 0)[0] {
        case .found(let revision, _, _, _, _): return "\(revision)"
        case .delta(let source, let revision, _, _, _): return "\(revision) as a difference to \(source)"
        case .removed: return "removed"
        case .unavailable(let status, _): return "\(status)"
        }
    }

    /// Another leaf may have become the current one since the announcement.
    @Test(arguments: StoreEngine.allCases) func aLeafThatWasAnnouncedIsSentItself(on engine: StoreEngine) async throws {
        try await TestDatabase.run(["allow_conflicts": true], on: engine) { test in
            try await prepare(test)
            #expect(try await load("2-b", test, as: "ann") == "2-b")
            #expect(try await load("2-b", test, as: "bob") == "removed")
            #expect(try await load("2-c", test, as: "bob") == "2-c")
            #expect(try await load("1-a", test, as: "bob") == "2-c", "what was replaced gives way to what is current")
            #expect(try await load("2-c", test, as: "ann") == "removed")
        }
    }

    @Test(arguments: StoreEngine.allCases) func differencesToALeafGoToThoseWhoSeeIt(on engine: StoreEngine) async throws
    {
        try await TestDatabase.run(["allow_conflicts": true, "delta_sync": ["enabled": true]], on: engine) { test in
            try await prepare(test)
            #expect(try await load("2-c", from: "2-b", test, as: "eve") == "2-c as a difference to 2-b")
            #expect(try await load("2-c", from: "2-b", test, as: "bob") == "2-c")
            let source = DeltaSource.test("d", RevisionID("2-b")!)
            #expect(try await backend(test, "ann").sources([source], collection: 0)[0] != nil)
            #expect(try await backend(test, "bob").sources([source], collection: 0) == [nil])
            try await test.push("d", "3-b", ["2-b"], Self.body(4, in: "north"))
            #expect(try await load("3-b", from: "2-b", test, as: "ann") == "3-b as a difference to 2-b")
            #expect(try await load("2-c", from: "2-b", test, as: "eve") == "2-c as a difference to 2-b")
        }
    }

    /// In a document without branches none is read: the branches of this test are unreadable.
    @Test(arguments: StoreEngine.allCases) func ofOrdinaryDocumentsNoBranchIsRead(on engine: StoreEngine) async throws {
        try await TestDatabase.run(["allow_conflicts": true, "delta_sync": ["enabled": true]], on: engine) { test in
            let store = try test.store
            for number in 1...10 as ClosedRange<Int64> { try await store.makeUnreadable(.branch(ofDocument: number)) }
            try await test.putUser("ann", channels: ["north"])
            for number in 1...3 { try await test.put("d", Self.body(number, in: "north")) }
            try await test.push("e", "3-c", ["2-b", "1-a"], ["_exp": 10])
            try await test.push("e", "4-d", ["3-c"], ["_exp": 10])
            test.pass(seconds: 20)
            await test.maintain()
            #expect(try await test.body("e") == "404")
            try await test.put("e", ["channels": ["north"]])
            let request = ChangesRequest(
                collection: TestDatabase.collection, includesDocuments: true, includesLeaves: true)
            #expect(try await test.changes(request, as: .user("ann")).count == 2)
            let open = try await test.openRevisions(of: "d", as: .user("ann"))
            #expect(open.count == 1)
            try await test.delete("d")
            #expect(try await test.database.documents.purge(["d", "e"], in: TestDatabase.collection) == ["d", "e"])
        }
    }
}
