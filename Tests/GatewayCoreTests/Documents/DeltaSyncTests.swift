import DocumentValues
import SyncProtocol
import Testing

@testable import GatewayCore

/// Revisions as differences: the stored sources, the readers who get a difference, and the writers who may push one.
@Suite(.timeLimit(.minutes(1))) struct DeltaSyncTests {
    private static let on: JSONValue = ["delta_sync": ["enabled": true]]
    private static let filler = String(repeating: "inspected and found in order. ", count: 10)

    private static func body(_ number: Int, channels: [String] = ["x"], more: JSONObject = [:]) -> JSONValue {
        var body: JSONObject = [
            "channels": .array(channels.map { .string($0) }), "n": .int(number), "note": .string(filler),
        ]
        for member in more { body[member.key] = member.value }
        return .object(body)
    }

    private func backend(_ test: TestDatabase, _ requester: Requester = .admin) -> DatabaseSyncBackend {
        DatabaseSyncBackend(database: test.database, requester: requester, version: .version3)
    }

    /// The difference for a client that has `source`; `nil` if the client gets anything else.
    private func delta(
        _ test: TestDatabase, from source: RevisionID, _ id: String = "a", as requester: Requester = .admin
    ) async throws -> String? {
        let request = RevisionRequest.test(id, from: source)
        guard
            case .delta(source, _, _, let body, _) = try await backend(test, requester).load([request], collection: 0)[
                0]
        else { return nil }
        return String(decoding: body, as: UTF8.self)
    }

    // MARK: - Configuration

    @Test(
        arguments: [
            (JSONValue.null, false, Int64?.none), ([:], false, nil), (["enabled": false], false, nil),
            (["enabled": true], true, 86_400), (["enabled": true, "rev_max_age_seconds": 600], true, 600),
            (["enabled": true, "rev_max_age_seconds": 0], true, nil), (["rev_max_age_seconds": 600], false, nil),
        ] as [(JSONValue, Bool, Int64?)])
    func whatIsConfigured(json: JSONValue, isEnabled: Bool, stored: Int64?) throws {
        let configuration = try DeltaSyncConfiguration(["delta_sync": json])
        #expect(configuration.isEnabled == isEnabled && configuration.storedSeconds == stored)
    }

    @Test(
        arguments: [
            ("true", JSONValue.bool(true)), ("another member", ["enable": true]), ("a text", ["enabled": "yes"]),
            ("a negative age", ["rev_max_age_seconds": -1]), ("an age in words", ["rev_max_age_seconds": "1d"]),
            ("less than old_rev_expiry_seconds", ["enabled": true, "rev_max_age_seconds": 299]),
        ] as [(String, JSONValue)])
    func whatMakesNoSenseIsRefused(name: String, json: JSONValue) {
        #expect {
            try DeltaSyncConfiguration(["delta_sync": json])
        } throws: { error in
            (error as? GatewayError)?.status == 400
        }
    }

    @Test func aLongExpiryAloneIsFine() throws {
        let configuration = try DeltaSyncConfiguration(["old_rev_expiry_seconds": 100_000])
        #expect(!configuration.isEnabled)
    }

    @Test(arguments: StoreEngine.allCases) func itIsShownAndChangedLikeTheRest(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.on, on: engine) { test in
            #expect(test.database.configuration().json["delta_sync"] == ["enabled": true])
            #expect(backend(test).usesDeltas)
            _ = try await test.database.configure(
                Array(#"{"delta_sync":{"enabled":false}}"#.utf8), merging: true)
            #expect(!backend(test).usesDeltas)
        }
    }

    // MARK: - Pull

    /// A pushed difference counts with its own bytes.
    @Test(arguments: StoreEngine.allCases) func bytesThatArePushed(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.on, on: engine) { test in
            var revision = IncomingRevision.test("a", "1-b", #"{"channels":["x"]}"#)
            revision.messageBytes = 17
            let outcomes = try await backend(test).store([revision], collection: 0)
            #expect(outcomes == [.stored])
            #expect(test.database.activity.values.sync.receivedBytes == 17)
        }
    }

    /// When the time of a revision is over, neither the revision nor a difference from it comes from memory, even before
    /// housekeeping.
    @Test(arguments: StoreEngine.allCases) func whatIsOverItsAgeIsNotAnswered(on engine: StoreEngine) async throws {
        try await TestDatabase.run(["delta_sync": ["enabled": true, "rev_max_age_seconds": 600]], on: engine) { test in
            func status(_ revision: RevisionID) async throws -> Int {
                do {
                    _ = try await test.database.documents.read(
                        "a", revision: revision, in: TestDatabase.collection, as: .admin)
                    return 200
                } catch let error as GatewayError {
                    return error.status
                }
            }
            let first = try await test.put("a", Self.body(1)).revision
            test.pass(seconds: 1_000)
            let second = try await test.put("a", Self.body(2)).revision
            test.pass(seconds: 599)
            let third = try await test.put("a", Self.body(3)).revision
            #expect(try await delta(test, from: first) == #"{"n":3}"#)
            #expect(try await delta(test, from: second) == #"{"n":3}"#)
            #expect(try await [status(first), status(second)] == [200, 200])
            test.pass(seconds: 1)
            #expect(try await delta(test, from: first) == nil, "six hundred seconds after it was replaced")
            #expect(try await delta(test, from: second) == #"{"n":3}"#, "that was one second ago")
            #expect(try await [status(first), status(second), status(third)] == [404, 200, 200])
        }
    }

    /// Without an age, a replaced revision is remembered only for the clients to which it was just announced.
    @Test(
        arguments: [
            (JSONValue.null, Int64(299), true), (.null, 300, false), (60, 59, true), (60, 60, false), (0, 0, false),
        ] as [(JSONValue, Int64, Bool)])
    func whatIsKeptInMemoryAloneEnds(expiry: JSONValue, seconds: Int64, isAnswered: Bool) async throws {
        let configuration: JSONValue = [
            "delta_sync": ["enabled": true, "rev_max_age_seconds": 0], "old_rev_expiry_seconds": expiry,
        ]
        try await TestDatabase.run(configuration) { test in
            let first = try await test.put("a", Self.body(1)).revision
            try await test.put("a", Self.body(2))
            test.pass(seconds: seconds)
            #expect(try await (delta(test, from: first) != nil) == isAnswered)
            let old = try? await test.database.documents.read(
                "a", revision: first, in: TestDatabase.collection, as: .admin)
            #expect((old != nil) == isAnswered)
        }
    }

    /// Replaced revisions are not readable if the age is only a default, or if differences are switched off.
    @Test(
        arguments: [
            (JSONValue.null, JSONValue.null, Int64(300)), (.null, 2, 2), (.null, 0, 0), (["enabled": false], 2, 2),
            (["rev_max_age_seconds": 600], 60, 60),
        ] as [(JSONValue, JSONValue, Int64)])
    func withoutDifferencesMemoryAnswersForTheExpiryAlone(
        differences: JSONValue, expiry: JSONValue, seconds: Int64
    ) async throws {
        let configuration: JSONValue = ["delta_sync": differences, "old_rev_expiry_seconds": expiry]
        try await TestDatabase.run(configuration) { test in
            let first = try await test.put("a", Self.body(1)).revision
            func isAnswered() async -> Bool {
                let old = try? await test.database.documents.read(
                    "a", revision: first, in: TestDatabase.collection, as: .admin)
                return old != nil
            }
            try await test.put("a", Self.body(2))
            if seconds > 0 {
                test.pass(seconds: seconds - 1)
                #expect(await isAnswered())
                test.pass(seconds: 1)
            }
            #expect(await !isAnswered())
        }
    }

    @Test(arguments: StoreEngine.allCases) func aClientGetsTheDifferenceToWhatItHas(on engine: StoreEngine) async throws
    {
        try await TestDatabase.run(Self.on, on: engine) { test in
            try await test.putUser("ann", channels: ["x"])
            let first = try await test.put("a", Self.body(1, more: ["old": true])).revision
            let second = try await test.put("a", Self.body(2)).revision
            try await test.put("a", Self.body(3))
            #expect(try await delta(test, from: second, as: .user("ann")) == #"{"n":3}"#)
            #expect(try await delta(test, from: first, as: .user("ann")) == #"{"n":3,"old":[]}"#)
            let unknown = RevisionID(generation: 2, digest: "feed")
            #expect(try await delta(test, from: unknown) == nil)
            let counts = test.database.documents.deltaCounts.values
            #expect(counts.requested == 3 && counts.sent == 2 && counts.misses == 2 && counts.hits == 0)
            #expect(try await delta(test, from: second) == #"{"n":3}"#)
            #expect(
                test.database.documents.deltaCounts.values.hits == 1 && test.database.documents.rememberedDeltas == 2)
        }
    }

    @Test(arguments: StoreEngine.allCases) func whatIsNoGainIsSentWhole(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.on, on: engine) { test in
            let small = try await test.put("s", ["n": 1]).revision
            try await test.put("s", ["n": 2])
            #expect(try await delta(test, from: small, "s") == nil)
            let other = try await test.put("o", ["x": .string(Self.filler)]).revision
            try await test.put("o", Self.body(1))
            for _ in 0..<2 { #expect(try await delta(test, from: other, "o") == nil) }
            // Clients drop members like this one, so a difference from it would not fit their body.
            let reserved = try await test.put("r", Self.body(1, more: ["_mine": ["x": 1]])).revision
            try await test.put("r", Self.body(1, more: ["_mine": ["x": 2]]))
            #expect(try await delta(test, from: reserved, "r") == nil)
            let live = try await test.put("d", Self.body(1)).revision
            let dead = try await test.delete("d").revision
            #expect(try await delta(test, from: live, "d") == nil, "a tombstone has no content")
            try await test.put("d", Self.body(2), replacing: dead.description)
            #expect(try await delta(test, from: dead, "d") == nil)
            #expect(try await delta(test, from: live, "d") == #"{"n":2}"#)
        }
    }

    @Test(arguments: StoreEngine.allCases) func attachmentsTravelInTheDifference(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.on, on: engine) { test in
            func file(_ text: String) -> JSONValue { ["data": .string(Base64.encode(Array(text.utf8)))] }
            let first = try await test.put("a", Self.body(1, more: ["_attachments": ["f": file("one")]])).revision
            try await test.put("a", Self.body(1, more: ["_attachments": ["f": file("two")]]))
            let difference = try JSONObject(parsing: Array(try #require(try await delta(test, from: first)).utf8))
            let digest = BlobDigest(of: Array("two".utf8)).text
            let whole: JSONValue = [
                "f": ["digest": .string(digest), "length": 3, "revpos": 2, "stub": true]
            ]
            #expect(difference == ["_attachments": [whole]])
            let second = try await test.details("a").revision.revision
            try await test.put("a", Self.body(1))
            #expect(try await delta(test, from: second) == #"{"_attachments":[{}]}"#)
        }
    }

    /// A difference discloses parts of the old revision: that a member was removed, or the position of a change in a
    /// text.
    @Test(arguments: StoreEngine.allCases) func nobodyGetsADifferenceToWhatHeMayNotSee(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(Self.on, on: engine) { test in
            try await test.putUser("ann", channels: ["x"])
            try await test.putUser("eve", channels: ["y"])
            let hidden = try await test.put("a", Self.body(1, channels: ["x"], more: ["secret": 1])).revision
            try await test.put("a", Self.body(2, channels: ["x", "y"]))
            #expect(try await delta(test, from: hidden, as: .user("eve")) == nil)
            #expect(try await delta(test, from: hidden, as: .user("ann")) != nil)
            #expect(try await delta(test, from: hidden, as: .user("eve")) == nil, "also when it was made for another")
            let shared = try await test.put("a", Self.body(3, channels: ["x"])).revision
            let loaded = try await backend(test, .user("eve")).load([.test("a", from: shared)], collection: 0)
            guard case .removed = loaded[0] else {
                Issue.record("\(loaded)")
                return
            }
        }
    }

    // MARK: - Stored revisions

    @Test(arguments: StoreEngine.allCases) func replacedRevisionsOutliveARestartButNotTheirTime(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(["delta_sync": ["enabled": true, "rev_max_age_seconds": 600]], on: engine) { test in
            let first = try await test.put("a", Self.body(1)).revision
            try await test.put("a", Self.body(2))
            #expect(try await test.count(.oldRevisions) == 1)
            try await test.reopen()
            test.pass(seconds: 599)
            await test.maintain()
            #expect(try await delta(test, from: first) == #"{"n":2}"#)
            let old = try await test.database.documents.read(
                "a", revision: first, in: TestDatabase.collection, as: .admin)
            #expect(try JSONObject(parsing: old.body)["n"] == 1)
            test.pass(seconds: 1)
            await test.maintain()
            #expect(try await test.count(.oldRevisions) == 0)
            try await test.reopen()
            #expect(try await delta(test, from: first) == nil)
        }
    }

    @Test(arguments: [JSONValue.null, ["enabled": true, "rev_max_age_seconds": 0]])
    func nothingIsKeptOnDiskWhere(deltaSync: JSONValue) async throws {
        try await TestDatabase.run(["delta_sync": deltaSync]) { test in
            try await test.put("a", Self.body(1))
            try await test.put("a", Self.body(2))
            #expect(try await test.count(.oldRevisions) == 0)
        }
    }

    @Test(arguments: StoreEngine.allCases) func ofADocumentTheNewestAreKeptAndAPurgeTakesAll(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(Self.on, on: engine) { test in
            var revisions: [RevisionID] = []
            for number in 0...14 { revisions.append(try await test.put("a", Self.body(number)).revision) }
            #expect(try await test.count(.oldRevisions) == GatewayLimits.oldRevisionsPerDocument)
            try await test.reopen()
            #expect(try await delta(test, from: revisions[4]) == #"{"n":14}"#)
            #expect(try await delta(test, from: revisions[3]) == nil)
            _ = try await test.database.documents.purge(["a"], in: TestDatabase.collection)
            #expect(try await test.count(.oldRevisions) == 0)
        }
    }

    /// Old revisions count for no user's share, and each edit of a large document leaves one.
    @Test(arguments: StoreEngine.allCases) func aDiskThatHasLittleLeftKeepsNone(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.on, on: engine) { test in
            try await test.put("a", Self.body(1))
            test.leave(GatewayLimits.oldRevisions)
            try await test.put("a", Self.body(2))
            #expect(try await test.count(.oldRevisions) == 0)
            test.leave(GatewayLimits.oldRevisions + 1)
            try await test.put("a", Self.body(3))
            #expect(try await test.count(.oldRevisions) == 1)
        }
    }

    @Test(arguments: StoreEngine.allCases) func togetherTheyTakeNoMoreThanTheLimit(on engine: StoreEngine) async throws
    {
        try await TestDatabase.run(Self.on, on: engine) { test in
            for id in ["a", "b", "c"] {
                try await test.put(id, Self.body(1))
                test.pass(seconds: 1)
                try await test.put(id, Self.body(2))
            }
            #expect(try await test.database.documents.forgetOldRevisions() == false)
            #expect(try await test.count(.oldRevisions) == 3)
            _ = try await test.database.documents.forgetOldRevisions(limit: 800)
            #expect(try await test.count(.oldRevisions) == 2)
            try await test.reopen()
            let kept = try await ["a", "b", "c"].asyncMap { id in
                try await delta(test, from: test.details(id).revision.history.ancestors[0], id) != nil
            }
            #expect(kept == [false, true, true], "the oldest go")
        }
    }

    // MARK: - Push

    @Test(arguments: StoreEngine.allCases) func sourcesAreGivenToWhoMaySeeThem(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.on, on: engine) { test in
            try await test.putUser("ann", channels: ["x"])
            try await test.putUser("eve", channels: ["y"])
            let current = try await test.put("a", Self.body(1)).revision
            let dead = try await test.put("d", Self.body(1)).revision
            let tombstone = try await test.delete("d").revision
            let asked = [
                DeltaSource.test("a", current), .test("d", tombstone), .test("d", dead), .test("none", current),
            ]
            func found(_ user: String) async throws -> [Bool] {
                try await backend(test, .user(Name(user))).sources(asked, collection: 0).map { $0 != nil }
            }
            #expect(try await found("ann") == [true, false, true, false])
            #expect(try await found("eve") == [false, false, false, false])
        }
    }

    @Test(arguments: StoreEngine.allCases) func sourcesAreReadUntilThereAreEnoughBytes(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(Self.on, on: engine) { test in
            let large: JSONValue = ["x": .string(String(repeating: "x", count: 3 << 20))]
            let revision = try await test.put("a", large).revision
            let sources = try await backend(test).sources(
                Array(repeating: .test("a", revision), count: 9), collection: 0)
            #expect(sources.count == 2)
        }
    }

    @Test(arguments: StoreEngine.allCases) func pushedDifferencesAreCounted(on engine: StoreEngine) async throws {
        try await TestDatabase.run(Self.on, on: engine) { test in
            var revision = IncomingRevision.test("a", "1-aa", #"{"n":1}"#)
            for isDelta in [false, true] {
                revision.isFromDelta = isDelta
                let outcomes = try await backend(test).store([revision], collection: 0)
                #expect(outcomes == [.stored])
                #expect(test.database.documents.deltaCounts.values.pushed == (isDelta ? 1 : 0))
            }
        }
    }

    /// The unchanged `revpos` in a difference does not show that the gateway has the bytes.
    @Test(arguments: StoreEngine.allCases) func anAttachmentThatChangedIsAskedForWhateverItsPosition(
        on engine: StoreEngine
    ) async throws {
        try await TestDatabase.run(on: engine) { test in
            let file: JSONValue = ["data": .string(Base64.encode(Array("one".utf8)))]
            let first = try await test.put("a", ["_attachments": ["f": file]]).revision
            let digest = BlobDigest(of: Array("two".utf8)).text
            var pushed = IncomingRevision.test("a", "2-bb", "{}", after: first)
            pushed.attachments = ["f": ["digest": .string(digest), "length": 3, "revpos": 1, "stub": true]]
            let outcomes = try await backend(test).store([pushed], collection: 0)
            #expect(outcomes == [.needs([.content(digest: digest)])])
        }
    }
}

extension [String] {
    fileprivate func asyncMap<Value>(_ body: (String) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
