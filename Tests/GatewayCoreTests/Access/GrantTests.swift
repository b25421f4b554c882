import AccessControl
import DocumentValues
import SyncFunction
import Testing

@testable import GatewayCore

/// Undoes the writes of a test.
private struct Undone: Error {}

/// The channels and roles that users hold through administrators, roles and documents.
@Suite(.timeLimit(.minutes(1))) struct GrantTests {
    @Test(arguments: StoreEngine.allCases) func aDocumentGrantsAndTakesBack(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["own"])
            try await test.put("g", ["access": ["ann": ["x", "y"]]])
            #expect(try await test.channels(of: "ann") == ["own", "x", "y"])
            try await test.put("g", ["access": ["ann": ["y", "own"]]])
            #expect(try await test.channels(of: "ann") == ["own", "y"])
            try await test.delete("g")
            #expect(try await test.channels(of: "ann") == ["own"], "what an administrator gave stays")
        }
    }

    /// Each document stays below its own limit.
    @Test(arguments: StoreEngine.allCases) func thereIsALimitToWhatAllDocumentsGrantToOneUser(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let limit = AccessLimits.grantsPerPrincipal
            func names(_ range: Range<Int>) -> JSONValue { .array(range.map { .string("c\($0)") }) }
            try await test.put("a", ["access": .object(["ann": names(0..<(limit - 2))])])
            try await test.put("b", ["access": ["ann": ["x", "y"]]])
            let error = await #expect(throws: GatewayError.self) {
                try await test.put("c", ["access": ["ann": ["z"], "bob": ["z"]]])
            }
            #expect(error?.status == 413 && error?.reason.contains("50001 channels and roles to ann") == true)
            #expect(try await test.channels(of: "ann").count == limit, "nothing of the refused document is left")
            try await test.put("d", ["access": ["bob": ["z"]]])
            // A grant that was taken away makes room.
            try await test.put("b", ["access": ["ann": ["x"]]])
            try await test.put("c", ["access": ["ann": ["z"]]])
            try await test.delete("a")
            #expect(try await test.channels(of: "ann") == ["x", "z"])
        }
    }

    /// Ended stays are kept for clients that come late. A user who is granted one channel after the other would have more
    /// and more of them, and each of the user's requests would take longer.
    @Test(arguments: StoreEngine.allCases) func thereIsALimitToHowOftenChannelsBeginForOneUser(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            for name in ["ann", "bob"] { try await test.putUser(name) }
            try await test.put("a", ["access": ["ann": ["x"]]])
            try await test.database.store.write { transaction in
                try await Self.addStays(AccessLimits.staysPerPrincipal - 2, to: "ann", in: transaction)
            }
            try await test.put("b", ["access": ["ann": ["y"]]])
            let error = await #expect(throws: GatewayError.self) {
                try await test.put("c", ["access": ["ann": ["z"], "bob": ["z"]]])
            }
            #expect(error?.status == 413 && error?.reason.contains("to ann 100000 times") == true)
            try await test.put("c", ["access": ["bob": ["z"]]])
            try await test.put("a", ["access": [:]])
            #expect(try await test.channels(of: "ann") == ["y"], "what is taken away is taken away")
        }
    }

    /// Ended stays in one channel.
    private static func addStays(
        _ count: Int, to principal: Name, in transaction: any StoreTransaction
    ) async throws {
        let spans = (1...UInt64(count)).map { SequenceSpan(start: $0, end: $0 + 1) }
        try await transaction.grants.end(.channel("past", in: 1), of: principal, history: spans)
    }

    private static func names(_ count: Int, _ prefix: String) -> JSONValue {
        .object(["ann": .array((0..<count).map { .string("\(prefix) \($0)") })])
    }

    private static func reason(_ work: () async throws -> Void) async -> String {
        do {
            try await work()
            return "nothing was refused"
        } catch {
            return (error as? GatewayError)?.reason ?? "\(error)"
        }
    }

    /// A hostile writer must not keep others from granting to one user: for all others, as much is left as the writer has
    /// used.
    @Test(arguments: StoreEngine.allCases) func oneUsersWritesLeaveAsMuchForAllOthers(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            for name in ["ann", "bob", "eve"] { try await test.putUser(name, channels: ["*"]) }
            let half = AccessLimits.grantsPerPrincipal / 2
            try await test.put("e", ["access": Self.names(half - 1, "e")], as: .user("eve"))
            try await test.put("f", ["access": Self.names(1, "f")], as: .user("eve"))
            let refused = await Self.reason {
                try await test.put("g", ["access": Self.names(1, "g")], as: .user("eve"))
            }
            #expect(
                refused.contains("Documents that eve wrote would grant 25001 channels and roles to ann"), "\(refused)")
            try await test.put("b", ["access": Self.names(1, "b")], as: .user("bob"))
            try await test.put("admin", ["access": Self.names(100, "admin")])
            // Bob takes away a grant that eve had given.
            try await test.put("f", ["access": [:]], as: .user("bob"))
            try await test.put("e", ["access": Self.names(half - 200, "e")], as: .user("bob"))
            try await test.put("g", ["access": Self.names(1, "g")], as: .user("eve"))
            let shares = try await test.database.store.read { store in
                var shares: [Int] = []
                for name in ["eve", "bob", ""] as [Name] {
                    shares.append(try await store.grants.share(of: name, to: "ann").count)
                }
                return shares
            }
            #expect(shares == [half - 199, 1, 100])
        }
    }

    /// Ended stays count for the writer who had begun them.
    @Test(arguments: StoreEngine.allCases) func oneUsersWritesBeginNoMoreThanTheyLeaveForAllOthers(
        on engine: StoreEngine
    ) async throws {
        try await TestDatabase.run(on: engine) { test in
            for name in ["ann", "bob", "eve"] { try await test.putUser(name, channels: ["*"]) }
            for _ in 0..<3 {
                try await test.put("e", ["access": Self.names(2, "e")], as: .user("eve"))
                try await test.delete("e")
            }
            let begun = try await test.database.store.read { try await $0.grants.share(of: "eve", to: "ann") }
            #expect(begun == (0, 6))
            try await test.database.store.write { transaction in
                try await Self.addStays(AccessLimits.staysPerPrincipal / 2, to: "ann", in: transaction)
                try await transaction.grants.count(0, begun: AccessLimits.staysPerPrincipal / 2, by: "eve", to: "ann")
            }
            let refused = await Self.reason {
                try await test.put("e", ["access": Self.names(1, "e")], as: .user("eve"))
            }
            #expect(
                refused.contains("Documents that eve wrote have granted channels and roles to ann too often"),
                "\(refused)")
            try await test.put("b", ["access": Self.names(1, "b")], as: .user("bob"))
        }
    }

    @Test(arguments: StoreEngine.allCases) func grantsAreCountedForEachPrincipal(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            func counts() async throws -> [Int] {
                try await test.database.store.read { store in
                    var counts: [Int] = []
                    for name in ["ann", "bob", "role:crew"] as [Name] {
                        counts.append(try await store.grants.count(to: name))
                    }
                    return counts
                }
            }
            try await test.put("a", ["access": ["ann": ["x", "y"], "bob": ["x"]], "roles": ["ann": ["crew"]]])
            try await test.put("b", ["access": ["ann": ["x"], "role:crew": ["z"]]])
            #expect(try await counts() == [4, 1, 1])
            try await test.put("a", ["access": ["ann": ["y", "z"]]])
            #expect(try await counts() == [3, 0, 1])
            for id in ["a", "b"] { try await test.delete(id) }
            #expect(try await counts() == [0, 0, 0])
        }
    }

    /// A write that was planned before another one of its document is planned again, and not compared with what the
    /// document granted then.
    @Test(arguments: StoreEngine.allCases) func aPlanThatIsOutOfDateIsNotRefused(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let names = (0..<(AccessLimits.grantsPerPrincipal - 1)).map { JSONValue.string("c\($0)") }
            try await test.put("a", ["access": .object(["ann": .array(names)])])
            let write = DocumentWrite(id: "b", body: Array("{}".utf8), edit: .new(replacing: nil))
            let database = test.database
            let rules = database.setup.configuration.writeRules(
                for: try await database.documents.views.view(of: .admin, in: TestDatabase.collection).0)
            guard
                case .planned(let plan) = try WritePlan.make(
                    try IncomingDocument(write, now: database.now), state: nil, rules: rules)
            else { throw GatewayError.missing }
            let decision = SyncDecision(SyncFunctionOutcome(access: ["ann": ["x"]]))
            let collection = try database.collection(TestDatabase.collection).number
            func refusal() async throws -> GatewayError? {
                let (setup, cache, now) = (database.setup, database.documents.revisions, database.now)
                do {
                    return try await database.store.write { transaction in
                        let writer = DocumentWriter(
                            transaction, setup: setup, collection: collection, cache: cache, now: now)
                        let end = try await writer.store(round: [PlannedWrite(plan: plan, decision: decision)])[0]
                        if case .failure(let error)? = end { return error }
                        throw Undone()
                    }
                } catch is Undone { return nil }
            }
            #expect(try await refusal() == nil)
            try await test.put("c", ["access": ["ann": ["z"]]])
            #expect(try await refusal()?.status == 413)
            try await test.delete("c")
            try await test.put("b", ["access": ["ann": ["x"]]])
            #expect(try await refusal() == nil, "it is the document itself that takes the room")
        }
    }

    @Test(arguments: StoreEngine.allCases) func aGrantLastsAsLongAsOneDocumentGivesIt(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            try await test.put("g1", ["access": ["ann": ["x"]]])
            try await test.put("g2", ["access": ["ann": ["x"]]])
            try await test.delete("g1")
            #expect(try await test.channels(of: "ann") == ["x"])
            try await test.delete("g2")
            #expect(try await test.channels(of: "ann") == [])
        }
    }

    @Test(arguments: StoreEngine.allCases) func grantsWaitForTheirUserAndTheirRole(on engine: StoreEngine) async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.put("g", ["access": ["ann": ["x"], "role:r": ["y"]], "roles": ["ann": ["r"]]])
            try await test.putUser("ann")
            #expect(try await test.channels(of: "ann") == ["x"])
            try await test.putRole("r", channels: ["z"])
            #expect(try await test.channels(of: "ann") == ["x", "y", "z"])
            try await test.database.principals.deleteRole("r")
            #expect(try await test.channels(of: "ann") == ["x"])
            try await test.putRole("r", channels: ["z"])
            #expect(try await test.channels(of: "ann") == ["x", "y", "z"], "it is the user's again")
        }
    }

    @Test(arguments: StoreEngine.allCases) func aRoleOfADocumentCountsForTheSyncFunction(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            try await test.putRole("r", channels: ["z"])
            try await test.put("g", ["roles": ["ann": ["r", "nosuch"]]])
            let views = test.database.documents.views
            let user = try await views.syncFunctionUser(
                .user("ann"), in: TestDatabase.collection)
            #expect(user?.roles == ["r", "nosuch"], "a role need not exist to be required")
            #expect(user?.channels == ["!", "z"])
            #expect(
                try await views.syncFunctionUser(.admin, in: TestDatabase.collection) == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases) func noDocumentGrantsEverything(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            try await test.put("g", ["access": ["ann": ["*", "x"]]])
            #expect(try await test.channels(of: "ann") == ["x"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func aUserWhoIsMadeAgainHoldsNothingOfTheOldOne(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["x"], roles: ["r"])
            try await test.database.principals.deleteUser("ann")
            try await test.putUser("ann", channels: ["y"])
            #expect(try await test.channels(of: "ann") == ["y"])
            // No revocation of `x`: it is another ann.
            try await test.put("a", ["channels": ["x"]])
            #expect(try await test.feed(.user("ann")) == [])
        }
    }

    @Test(arguments: StoreEngine.allCases) func grantsAreKeptOverARestart(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["own"])
            try await test.put("g", ["access": ["ann": ["x"]]])
            try await test.reopen()
            #expect(try await test.channels(of: "ann") == ["own", "x"])
            try await test.delete("g")
            #expect(try await test.channels(of: "ann") == ["own"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func whoMaySeeADocument(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["x"])
            try await test.putUser("root", channels: ["*"])
            for (id, channels) in [("seen", ["x"]), ("other", ["y"]), ("public", ["!"]), ("none", [])] {
                try await test.put(id, ["channels": .array(channels.map { .string($0) })])
            }
            let seen: [(Requester, [String])] = [
                (.user("ann"), ["seen", "public"]), (.user("root"), ["seen", "other", "public", "none"]),
                (.admin, ["seen", "other", "public", "none"]), (.guest, ["public"]),
            ]
            for (requester, ids) in seen {
                for id in ["seen", "other", "public", "none"] {
                    let isForbidden = try await test.body(id, as: requester) == "403"
                    #expect(isForbidden == !ids.contains(id), "\(requester) \(id)")
                }
            }
        }
    }
}
