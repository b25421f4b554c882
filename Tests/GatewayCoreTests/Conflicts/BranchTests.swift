import DocumentValues
import SyncProtocol
import Testing

@testable import GatewayCore

/// Documents with several leaves: the stored content of each leaf, and the change of the current leaf.
@Suite(.timeLimit(.minutes(1))) struct BranchTests {
    private static let ann = Requester.user("ann")
    private static let bob = Requester.user("bob")
    private static let conflicts: JSONValue = ["allow_conflicts": true]

    /// `d`: 1-a, then 2-b in `north` and, current, 2-c in `south`.
    private func prepare(_ test: TestDatabase) async throws {
        try await test.putUser("ann", channels: ["north"])  // 1
        try await test.putUser("bob", channels: ["south"])  // 2
        try await test.push("d", "1-a", [], ["v": 1, "channels": ["north"]])
        try await test.push("d", "2-b", ["1-a"], ["v": 2, "channels": ["north"], "access": ["ann": ["b"]]])
        try await test.push("d", "2-c", ["1-a"], ["v": 3, "channels": ["south"], "access": ["ann": ["c"]]])
    }

    private func read(
        _ revision: String, _ test: TestDatabase, as requester: Requester = .admin
    ) async throws -> String {
        do {
            let document = try await test.database.documents.read(
                "d", revision: RevisionID(revision), in: TestDatabase.collection, as: requester)
            return String(decoding: document.body, as: UTF8.self)
        } catch let error as GatewayError {
            return "\(error.status)"
        }
    }

    private func current(_ test: TestDatabase) async throws -> String {
        try await test.details("d").revision.revision.description
    }

    @Test(arguments: StoreEngine.allCases) func eachLeafIsReadByThoseWhoSeeItsChannels(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(Self.conflicts, on: engine) { test in
            try await prepare(test)
            try await test.reopen()
            #expect(try await read("2-b", test) == #"{"v":2,"channels":["north"],"access":{"ann":["b"]}}"#)
            #expect(try await read("2-b", test, as: Self.ann).hasPrefix(#"{"v":2"#))
            #expect(try await read("2-b", test, as: Self.bob) == #"{"_removed":true}"#)
            #expect(try await read("2-c", test, as: Self.bob).hasPrefix(#"{"v":3"#))
            #expect(try await read("2-c", test, as: Self.ann) == #"{"_removed":true}"#)
            #expect(try await test.body("d", as: Self.ann) == "403", "the current revision decides")
            #expect(try await read("2-q", test) == "404")
            #expect(try await test.channels(of: "ann") == ["north", "c"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func aLosingLeafMovesTheDocumentAndNothingElse(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(Self.conflicts, on: engine) { test in
            try await prepare(test)
            let before = try await test.details("d")
            try await test.push("d", "2-aa", ["1-a"], ["v": 4, "channels": ["north"], "access": ["ann": ["x"]]])
            let after = try await test.details("d")
            #expect(after.revision.body == before.revision.body && after.current == before.current)
            #expect(after.revision.sequence > before.revision.sequence)
            #expect(try await test.feed(Self.bob).contains("\(after.revision.sequence) d"))
            #expect(try await test.channels(of: "ann") == ["north", "c"])
            // The function may refuse this write like any other.
            await #expect(throws: GatewayError(403, reason: "no")) {
                try await test.push("d", "2-ab", ["1-a"], ["forbidden": "no"])
            }
        }
    }

    @Test(arguments: StoreEngine.allCases) func theNextLeafReplacesTheCurrentOne(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.conflicts, on: engine) { test in
            try await prepare(test)
            let since = test.database.lastSequence
            try await test.push("d", "3-t", ["2-c"], isDeleted: true)
            #expect(try await current(test) == "2-b")
            #expect(try await test.body("d", as: Self.ann).hasPrefix(#"{"v":2"#))
            #expect(try await test.body("d", as: Self.bob) == "403")
            #expect(try await test.channels(of: "ann") == ["north", "b"])
            #expect(try await test.feed(Self.ann, since: SequenceID(since)) == ["\(since + 1) d"])
            #expect(try await test.feed(Self.bob, since: SequenceID(since)) == ["\(since + 1) -d"])
            // A leaf is compared with its parent, not with the current revision.
            try await test.push("d", "4-u", ["3-t"], ["v": 9, "channels": ["south"]])
            #expect(try await current(test) == "4-u")
            #expect(try await test.count(.branches) == 1)
            try await test.push("d", "5-u", ["4-u"], isDeleted: true)
            try await test.push("d", "3-b", ["2-b"], isDeleted: true)
            #expect(try await test.body("d") == "404")
            #expect(try await current(test) == "5-u")
            #expect(try await test.count(.branches) == 0, "the tree says all there is to say of an empty tombstone")
            #expect(try await test.channels(of: "ann") == ["north"])
        }
    }

    /// As in Sync Gateway: the function is called for the leaf that becomes current, and may refuse the deletion.
    @Test(arguments: StoreEngine.allCases) func aUserWhoMayNotWriteTheNextLeafCannotMakeItCurrent(
        on engine: StoreEngine
    ) async throws {
        try await TestDatabase.run(Self.conflicts, on: engine) { test in
            try await test.putUser("bob", channels: ["south"])
            try await test.push("d", "1-a", [], ["channels": ["south"]])
            try await test.push("d", "2-b", ["1-a"], ["requireUser": "ann"], as: .admin)
            try await test.push("d", "2-c", ["1-a"], ["channels": ["south"]])
            await #expect(throws: GatewayError(403, reason: "sg wrong user")) {
                try await test.push("d", "3-c", ["2-c"], isDeleted: true, as: Self.bob)
            }
            #expect(try await current(test) == "2-c")
            try await test.push("d", "3-c", ["2-c"], isDeleted: true)
            #expect(try await current(test) == "2-b")
        }
    }

    @Test(arguments: StoreEngine.allCases) func theFunctionComparesWithTheParent(on engine: StoreEngine) async throws {
        try await TestDatabase.run(["allow_conflicts": true, "sync": "old"], on: engine) { test in
            try await test.push("d", "1-a", [], ["channels": ["a"]])
            try await test.push("d", "2-b", ["1-a"], ["channels": ["b"]])
            try await test.push("d", "2-c", ["1-a"], ["channels": ["c"]])
            #expect(try await test.details("d").current.isEmpty, "2-c has a parent that was replaced before")
            try await test.push("d", "3-d", ["2-b"], [:])
            #expect(try await test.details("d").current.keys.sorted() == ["b"])
            try await test.push("d", "4-e", ["3-c", "2-c"], [:])
            #expect(try await test.details("d").current.keys.sorted() == ["c"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func anyLeafCanBeEditedAndOnlyLeaves(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.conflicts, on: engine) { test in
            try await prepare(test)
            await #expect(throws: GatewayError.revisionConflict) { try await test.put("d", [:], replacing: "1-a") }
            let edited = try await test.put("d", ["v": 5], replacing: "2-b")
            #expect(edited.revision.treeRevision?.generation == 3)
            #expect(try await current(test) == edited.revision.description)
            #expect(try await read("2-c", test).hasPrefix(#"{"v":3"#), "the one that was current stays as a leaf")
            let write = DocumentWrite(
                id: "d", body: Array("{}".utf8),
                edit: .existing(RevisionID("3-z")!, RevisionHistory([RevisionID("2-c")!])))
            var refusing = IncomingRevision.test("d", "3-z", "{}", after: RevisionID("2-c"))
            refusing.refusesConflicts = true
            let backend = DatabaseSyncBackend(database: test.database, requester: .admin, version: .version3)
            #expect(
                try await backend.store([refusing], collection: 0) == [
                    .refused(GatewayError.revisionConflict.blipReply)
                ])
            _ = try await test.write(write)
        }
    }

    @Test(arguments: StoreEngine.allCases) func conflictsThatAreThereCanBeEndedWhenNoNewOnesAreAllowed(
        on engine: StoreEngine
    ) async throws {
        try await TestDatabase.run(Self.conflicts, on: engine) { test in
            try await prepare(test)
            _ = try await test.database.configure(Array(#"{"allow_conflicts":false}"#.utf8), merging: true)
            await #expect(throws: GatewayError.revisionConflict) { try await test.push("d", "2-z", ["1-a"]) }
            await #expect(throws: GatewayError.revisionConflict) { try await test.push("d", "3-b", ["2-b"]) }
            await #expect(throws: GatewayError.revisionConflict) { try await test.put("d", [:], replacing: "2-b") }
            #expect(try await read("2-b", test).hasPrefix(#"{"v":2"#))
            try await test.put("d", ["_deleted": true], replacing: "2-b")
            #expect(try await current(test) == "2-c")
            #expect(try await test.count(.branches) == 0)
        }
    }

    @Test(arguments: StoreEngine.allCases) func everyLeafHasItsOwnTime(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.conflicts, on: engine) { test in
            try await test.putUser("ann", channels: ["north"])
            try await test.push("d", "1-a", [], ["v": 1, "channels": ["north"]])
            try await test.push("d", "1-d", [], ["v": 2, "_exp": 60])
            try await test.push("d", "1-c", [], ["v": 3, "_exp": 30])
            try await test.push("d", "1-b", [], ["v": 4, "_exp": 90, "channels": ["north"], "access": ["ann": ["b"]]])
            #expect(try await test.details("d").revision.expires == test.now + 60, "that of the current revision")
            try await test.push("d", "2-d", ["1-d"], isDeleted: true)
            #expect(try await current(test) == "1-c")
            #expect(try await test.details("d").revision.expires == test.now + 30)
            test.pass(seconds: 40)
            await test.maintain()
            #expect(try await current(test) == "1-b")
            #expect(try await test.details("d").revision.expires == test.now + 50)
            #expect(try await test.channels(of: "ann") == ["north", "b"])
            test.pass(seconds: 60)
            await test.maintain()
            #expect(try await test.body("d", as: Self.ann) == #"{"v":1,"channels":["north"]}"#)
            #expect(try await test.channels(of: "ann") == ["north"])
            #expect(try await test.details("d").revision.expires == nil)
            #expect(try await test.count(.branches) == 0)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aLeafThatTheFunctionRefusesComesToTheForeUnseen(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(Self.conflicts, on: engine) { test in
            try await test.push("d", "1-a", [], ["v": 1, "channels": ["north"], "places": ["forbidden"]])
            try await test.push("d", "1-b", [], ["v": 2, "_exp": 30])
            try await test.database.set(.sync, to: "refuse", of: TestDatabase.collection)
            test.pass(seconds: 40)
            await test.maintain()
            #expect(try await current(test) == "1-a")
            #expect(try await test.details("d").current.isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aPurgeLeavesNothing(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.conflicts, on: engine) { test in
            try await test.push("d", "1-x", [], ["v": 4])
            try await test.push("d", "1-y", [], ["v": 5])
            #expect(try await test.count(.branches) == 1)
            #expect(try await test.database.documents.purge(["d"], in: TestDatabase.collection) == ["d"])
            #expect(try await test.count(.branches) == 0)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aResyncTakesInEveryLeaf(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.conflicts, on: engine) { test in
            try await test.putUser("ann", channels: ["north"])
            try await test.push("d", "1-a", [], ["v": 1, "places": ["north"]])
            try await test.push("d", "1-b", [], ["v": 2, "places": ["south"]])
            try await test.database.set(.sync, to: "places", of: TestDatabase.collection)
            #expect(try await read("1-a", test, as: Self.ann) == #"{"_removed":true}"#)
            for expected in [1, 0] {
                test.database.goOffline()
                _ = try test.database.maintenance.startResync(ResyncRequest())
                await test.resyncEnd()
                #expect(test.database.maintenance.resyncStatus.changed == expected)
                try test.database.goOnline()
            }
            #expect(try await read("1-a", test, as: Self.ann).hasPrefix(#"{"v":1"#))
            #expect(try await read("1-b", test, as: Self.ann) == #"{"_removed":true}"#)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aDocumentHasSoManyLeavesAndNoMore(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.conflicts, on: engine) { test in
            let writes = (0...GatewayLimits.liveLeaves).map { number in
                DocumentWrite(
                    id: "d", body: Array("{}".utf8),
                    edit: .existing(RevisionID("1-\(1_000 + number)")!, RevisionHistory()))
            }
            let results = await test.database.documents.write(writes, in: TestDatabase.collection, as: .admin)
            #expect(results.dropLast().allSatisfy { (try? $0.get()) != nil })
            #expect(throws: GatewayError.tooManyConflicts) { try results.last?.get() }
            try await test.push("d", "2-x", ["1-1000"], isDeleted: true)
            try await test.push("d", "1-more")
        }
    }

    /// Each write reads all leaves.
    @Test(.timeLimit(.minutes(1))) func theLeavesOfADocumentHaveSoManyBytes() async throws {
        try await TestDatabase.run(Self.conflicts) { test in
            let text = JSONValue.string(String(repeating: "x", count: GatewayLimits.documentSize - 100))
            for revision in ["1-a", "1-b", "1-c"] { try await test.push("d", revision, [], ["t": text]) }
            await #expect(throws: GatewayError.tooMuchInConflict) { try await test.push("d", "1-d", [], ["t": text]) }
            try await test.push("d", "1-e", [], ["t": "small"])
            // A revision that resolves a conflict is accepted, and makes room.
            try await test.push("d", "2-a", ["1-a"], isDeleted: true)
            try await test.push("d", "1-d", [], ["t": text])
        }
    }

    @Test(arguments: StoreEngine.allCases) func aBranchThatEndedLongAgoIsForgotten(on engine: StoreEngine) async throws
    {
        try await TestDatabase.run(["allow_conflicts": true, "revs_limit": 20], on: engine) { test in
            try await test.push("d", "1-a", [], ["v": 1])
            try await test.push("d", "2-b", ["1-a"], ["v": "ended"], isDeleted: true)
            #expect(try await test.count(.branches) == 0, "it is the only leaf")
            try await test.push("d", "2-c", ["1-a"], ["v": "left behind"])
            #expect(try await test.count(.branches) == 1)
            for generation in 2...40 {
                try await test.push("d", "\(generation)-m", ["\(generation - 1)-\(generation == 2 ? "a" : "m")"])
            }
            #expect(try await test.details("d").tree.contains(RevisionID("2-b")!), "a live leaf is as old")
            try await test.push("d", "3-c", ["2-c"], isDeleted: true)
            #expect(try await test.details("d").tree.leaves.map(\.revision.description) == ["40-m"])
            #expect(try await test.count(.branches) == 0)
        }
    }
}
