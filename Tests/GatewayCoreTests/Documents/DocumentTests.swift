import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// Documents in a real file: edits, conflicts, tombstones, purging.
@Suite(.timeLimit(.minutes(1))) struct DocumentTests {
    @Test(arguments: StoreEngine.allCases) func editsFormALine(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            let first = try await test.put("a", ["n": 1])
            let second = try await test.put("a", ["n": 2])
            #expect([first.sequence, second.sequence] == [1, 2])
            #expect([first.revision.treeRevision?.generation, second.revision.treeRevision?.generation] == [1, 2])
            #expect(try await test.body("a") == #"{"n":2}"#)
            #expect(try await test.details("a").revision.history.ancestors == [first.revision])
        }
    }

    @Test(arguments: StoreEngine.allCases) func anEditOfAnOldRevisionIsRefused(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            let first = try await test.put("a", ["n": 1])
            try await test.put("a", ["n": 2])
            await #expect(throws: GatewayError.revisionConflict) {
                try await test.put("a", ["n": 3], replacing: first.revision.description)
            }
            await #expect(throws: GatewayError.documentExists) {
                try await test.write(DocumentWrite(id: "a", body: Array("{}".utf8)))
            }
            #expect(try await test.body("a") == #"{"n":2}"#)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aPushedConflictIsRefused(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.push("a", "1-x", [], ["n": 1])
            try await test.push("a", "2-x", ["1-x"], ["n": 2])
            await #expect(throws: GatewayError.revisionConflict) { try await test.push("a", "2-y", ["1-x"]) }
            await #expect(throws: GatewayError.revisionConflict) { try await test.push("a", "1-y") }
            #expect(try await test.push("a", "1-x").sequence == nil, "what is known is no news")
            #expect(test.database.lastSequence == 2)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aDeletedDocumentMayBeMadeAgain(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.push("a", "1-x", [], ["n": 1])
            try await test.push("a", "2-x", ["1-x"], isDeleted: true)
            #expect(try await test.body("a") == "404")
            // A client that does not know the old one pushes a root beside it, which wins because it is live.
            try await test.push("a", "1-other", [], ["n": 2])
            #expect(try await test.body("a") == #"{"n":2}"#)
            #expect(try await test.details("a").tree.leaves.count == 2)
            try await test.push("a", "2-other", ["1-other"], isDeleted: true)
            #expect(try await test.details("a").revision.revision.description == "2-x")
            // And by an ordinary edit, which goes on from the tombstone.
            #expect(
                try await test.write(DocumentWrite(id: "a", body: Array("{}".utf8))).revision.treeRevision?.generation
                    == 3)
        }
    }

    @Test(arguments: StoreEngine.allCases) func revisionsBeyondTheLimitAreForgotten(on engine: StoreEngine) async throws
    {
        try await TestDatabase.run(["revs_limit": 5], on: engine) { test in
            for number in 0..<12 { try await test.put("a", ["n": .int(number)]) }
            let details = try await test.details("a")
            #expect(details.tree.nodes.count == 5)
            #expect(details.revision.revision.treeRevision?.generation == 12)
            try await test.reopen()
            #expect(try await test.details("a").tree == details.tree)
        }
    }

    @Test(arguments: StoreEngine.allCases) func purgingLeavesNothing(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["c"])
            let data: JSONValue = ["f": ["data": "aGVsbG8="]]
            try await test.put("a", ["channels": ["c"], "access": ["ann": ["x"]], "_attachments": data])
            try await test.put("a", ["channels": ["d"], "access": ["ann": ["x"]], "_attachments": data])
            #expect(try await test.channels(of: "ann") == ["c", "x"])
            #expect(try await test.database.documents.purge(["a", "nobody"], in: TestDatabase.collection) == ["a"])
            #expect(try await test.channels(of: "ann") == ["c"])
            #expect(try await test.body("a") == "404")
            #expect(try await test.feed() == [])
            for rows in [.documents, .entries, .grants, .attachments] as [CountedRows] {
                #expect(try await test.count(rows) == 0, "\(rows)")
            }
            // The document may be made again as a new one.
            #expect(try await test.put("a", ["n": 1]).revision.treeRevision?.generation == 1)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aRefusedDocumentIsNotStored(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            await #expect(throws: GatewayError(403, reason: "no")) { try await test.put("a", ["forbidden": "no"]) }
            await #expect(throws: GatewayError(403, reason: "sg wrong user")) {
                try await test.put("a", ["requireUser": "bob"], as: .user("ann"))
            }
            #expect(try await test.body("a") == "404")
            try await test.put("a", ["requireUser": "bob"])
        }
    }

    /// Each has its turn, and none of them reads all waiting ones.
    @Test(.timeLimit(.minutes(1))) func veryManyWritesOfOneDocument() async throws {
        try await TestDatabase.run { test in
            let count = 20_000
            var writes = (0..<count).map { _ in DocumentWrite(id: "same", body: Array("{}".utf8)) }
            writes.append(DocumentWrite(id: "other", body: Array("{}".utf8)))
            let results = await test.database.documents.write(writes, in: TestDatabase.collection, as: .admin)
            #expect(results.count == count + 1)
            let stored = try [results[0], results[count]].map { try $0.get().id }
            #expect(stored == ["same", "other"])
            #expect(throws: GatewayError.documentExists) { try results[1].get() }
            #expect(results.count { (try? $0.get()) != nil } == 2)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aDocumentIsInSoManyChannels() async throws {
        try await TestDatabase.run { test in
            let limit = AccessLimits.channelsPerDocument
            func body(_ count: Int) -> JSONValue { ["channels": .array((0..<count).map { .string("c\($0)") })] }
            try await test.putUser("ann", channels: ["c7"])
            try await test.put("a", body(limit))
            #expect(try await test.body("a", as: .user("ann")) != "403")
            let refusal = GatewayError(
                413, reason: "The sync function gives the document 10001 channels; 10000 are allowed")
            for id in ["a", "b"] {
                await #expect(throws: refusal) { _ = try await test.put(id, body(limit + 1)) }
            }
            #expect(try await test.details("a").revision.revision.treeRevision?.generation == 1)
            #expect(try await test.body("b") == "404")
        }
    }

    @Test(.timeLimit(.minutes(2))) func aDocumentWandersThroughSoManyChannels() async throws {
        try await TestDatabase.run { test in
            let step = AccessLimits.channelsPerDocument
            func body(_ first: Int, _ count: Int) -> JSONValue {
                ["channels": .array((first..<first + count).map { .string("c\($0)") })]
            }
            for start in stride(from: 0, to: AccessLimits.channelsOverTime, by: step) {
                try await test.put("a", body(start, step))
            }
            let refusal = GatewayError(413, reason: "The document would have been in 50001 channels; 50000 are allowed")
            await #expect(throws: refusal) {
                _ = try await test.put("a", ["channels": ["c0", "new"]])
            }
            try await test.put("a", ["channels": ["c0"]])
            try await test.put("a", ["channels": []])
        }
    }

    @Test(arguments: ["_design/x", "", String(repeating: "x", count: 251)])
    func idsThatAreRefused(id: String) async throws {
        try await TestDatabase.run { test in
            await #expect(throws: GatewayError.invalidDocumentID) {
                try await test.write(DocumentWrite(id: id, body: Array("{}".utf8)))
            }
        }
    }

    @Test func documentsOfTwoCollectionsAreTwoDocuments() async throws {
        let collections: JSONValue = ["scopes": ["field": ["collections": ["sites": [:], "plots": [:]]]]]
        try await TestDatabase.run(collections) { test in
            let (sites, plots) = (
                try CollectionName(scope: "field", name: "sites"), try CollectionName(parsing: "field.plots")
            )
            let one = try await test.put("a", ["n": 1], in: sites)
            let two = try await test.put("a", ["n": 2], in: plots)
            #expect([one.sequence, two.sequence] == [1, 2], "sequences are the database's")
            #expect(try await test.details("a", in: sites).revision.revision == one.revision)
            #expect(try await test.changes(ChangesRequest(collection: plots)).map(\.revision) == [two.revision])
            await #expect(throws: GatewayError.self) { try await test.details("a") }
        }
    }

    /// If the database requires sight, a user who only knows the id of a revision may not replace it.
    @Test(arguments: [false, true]) func whoDoesNotSeeADocument(isSightRequired: Bool) async throws {
        try await TestDatabase.run(["writers_must_see": .bool(isSightRequired)]) { test in
            try await test.putUser("ann", channels: ["x"])
            try await test.putUser("bob", channels: ["y"])
            let bob = Requester.user("bob")
            func status(_ write: () async throws -> WriteOutcome) async throws -> Int {
                do {
                    _ = try await write()
                    return 201
                } catch let error as GatewayError {
                    return error.status
                }
            }
            let first = try await test.put("d", ["channels": ["x"]]).revision.description
            let expected = isSightRequired ? 403 : 201
            let pushed = try await status {
                try await test.push("d", "2-b", [first], ["channels": ["y"]], as: bob)
            }
            #expect(pushed == expected)
            try await test.put("e", ["channels": ["x"]])
            let edited = try await status { try await test.put("e", ["channels": ["y"]], as: bob) }
            #expect(edited == expected)
            // A user who sees the document is not concerned, nor are new or deleted documents.
            try await test.put("own", ["channels": ["y"]], as: bob)
            try await test.put("own", ["channels": ["x"]], as: bob)
            try await test.put("gone", ["channels": ["x"]])
            try await test.delete("gone")
            try await test.put("gone", ["channels": ["y"]], as: bob)
            try await test.put("own", ["channels": ["x", "y"]], as: .user("ann"))
        }
    }
}
