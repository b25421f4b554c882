import AccessControl
import DocumentValues
import SyncProtocol
import Testing

@testable import GatewayCore

/// Names that look alike, and that Swift's `String` takes for equal, are different names: no user gets access by a
/// look-alike.
@Suite(.timeLimit(.minutes(1))) struct LookAlikeTests {
    static let lookAlikes: [(String, String)] = [
        ("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), (";", "\u{37E}"),
    ]

    @Test(arguments: lookAlikes) func whoHoldsOneChannelDoesNotReadTheOther(one: String, other: String) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("bob", channels: [other])
            try await test.put("plan", ["channels": .array([.string(one)])])
            #expect(try await test.body("plan", as: .user("bob")) == "403")
            #expect(try await test.currentRevisions(["plan"], as: .user("bob"))[0]?.isRedacted == true)
            #expect(try await test.feed(.user("bob")).isEmpty)
        }
    }

    /// A document in both channels reaches both feeds, and both grants are kept.
    @Test(arguments: lookAlikes) func aDocumentInBothReachesBoth(one: String, other: String) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann", channels: [one])
            try await test.putUser("bob", channels: [other])
            try await test.putUser("eve", channels: [one, other])
            try await test.put("both", ["channels": .array([.string(one), .string(other)])])
            for user in ["ann", "bob", "eve"] as [Name] {
                #expect(try await test.feed(.user(user)).count == 1, "\(user)")
            }
            let listed = try await test.database.principals.user("eve")["admin_channels"]?.names
            #expect(listed == [Name(one), Name(other)])
        }
    }

    @Test func whoSignsInIsNotTheOther() async throws {
        try await TestDatabase.run { test in
            let (kim, evil): (Name, Name) = ("Kim", "\u{212A}im")
            _ = try await test.database.principals.putUser(kim, json: Array(#"{"password":"kims-password"}"#.utf8))
            _ = try await test.database.principals.putUser(evil, json: Array(#"{"password":"evils-password"}"#.utf8))
            for (name, password, other) in [(evil, "evils-password", kim), (kim, "kims-password", evil)] {
                let person = try await test.database.principals.authenticate(name: name, password: password)
                #expect(person.requester == .user(name))
                await #expect(throws: GatewayError.self) {
                    try await test.database.principals.authenticate(name: other, password: password)
                }
            }
        }
    }

    /// Two documents with the same revision ids: each reader gets the difference of the right document.
    @Test func aDifferenceIsNotAnotherDocuments() async throws {
        try await TestDatabase.run(["delta_sync": ["enabled": true]]) { test in
            let filler = JSONValue.string(String(repeating: "inspected and found in order. ", count: 10))
            for (id, secret) in [("caf\u{E9}", "ann's"), ("cafe\u{301}", "bob's")] {
                try await test.push(id, "1-aa", [], ["channels": ["c"], "pad": filler])
                try await test.push(id, "2-bb", ["1-aa"], ["channels": ["c"], "pad": filler, "text": .string(secret)])
            }
            let backend = DatabaseSyncBackend(database: test.database, requester: .admin, version: .version3)
            for (id, secret) in [("caf\u{E9}", "ann's"), ("cafe\u{301}", "bob's"), ("caf\u{E9}", "ann's")] {
                let request = RevisionRequest.test(id, from: RevisionID("1-aa")!)
                guard case .delta(_, _, _, let body, _) = try await backend.load([request], collection: 0)[0] else {
                    Issue.record("no difference of \(id)")
                    continue
                }
                #expect(String(decoding: body, as: UTF8.self).contains(secret))
            }
        }
    }

    /// In one request, each gets its own result.
    @Test func twoIdsAreTwoDocuments() async throws {
        try await TestDatabase.run { test in
            for id in ["caf\u{E9}", "cafe\u{301}"] { try await test.put(id, ["bytes": .int(id.utf8.count)]) }
            #expect(try await test.body("caf\u{E9}") == #"{"bytes":5}"#)
            #expect(try await test.body("cafe\u{301}") == #"{"bytes":6}"#)
            let request = ChangesRequest(
                collection: TestDatabase.collection, documentIDs: ["caf\u{E9}", "cafe\u{301}"])
            #expect(try await test.changes(request).count == 2)
        }
    }

    /// A change to a look-alike is a change.
    @Test func anEditThatLooksAlikeIsAnEdit() async throws {
        try await TestDatabase.run { test in
            let first = try await test.put("a", ["name": "caf\u{E9}"])
            let second = try await test.put("a", ["name": "cafe\u{301}"])
            #expect(first.revision != second.revision)
        }
    }

    @Test func anIdUnderAnAccentIsStillReserved() async throws {
        try await TestDatabase.run { test in
            await #expect(throws: GatewayError.self) { try await test.put("_\u{301}x", [:]) }
        }
    }
}
