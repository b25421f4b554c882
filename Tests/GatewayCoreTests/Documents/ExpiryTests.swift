import DocumentValues
import Testing

@testable import GatewayCore

/// Documents that end by themselves, and what else is forgotten with time.
@Suite(.timeLimit(.minutes(1))) struct ExpiryTests {
    @Test func aDocumentEndsWhenItsTimeIsOver() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann", channels: ["x"])
            try await test.put("a", ["channels": ["x"], "access": ["ann": ["y"]], "_exp": 60])
            try await test.put("b", ["channels": ["x"], "expiry": 120])
            try await test.put("c", ["channels": ["x"]])
            #expect(try await test.details("a").revision.expires == test.now + 60)
            await test.maintain()
            #expect(try await test.body("a") != "404")
            test.pass(seconds: 60)
            await test.maintain()
            #expect(try await test.body("a") == "404")
            #expect(try await test.channels(of: "ann") == ["x"], "what it granted ends with it")
            #expect(try await test.feed(.user("ann")).filter { $0.hasSuffix("-a") }.count == 1)
            test.pass(seconds: 60)
            await test.maintain()
            #expect(try await test.body("b") == "404")
            test.pass(seconds: 1_000_000)
            await test.maintain()
            #expect(try await test.body("c") != "404")
        }
    }

    @Test func aNewRevisionWithoutATimeLivesOn() async throws {
        try await TestDatabase.run { test in
            try await test.put("a", ["_exp": 60])
            try await test.put("a", [:])
            test.pass(seconds: 100)
            await test.maintain()
            #expect(try await test.body("a") == "{}")
        }
    }

    /// What the sync function says wins, also where it says never.
    @Test func theSyncFunctionHasTheLastWord() async throws {
        try await TestDatabase.run { test in
            try await test.put("a", ["_exp": 60, "expiry": 0])
            try await test.put("b", ["_exp": 60, "expiry": 120])
            try await test.put("c", ["_exp": 60])
            #expect(try await test.details("a").revision.expires == nil)
            #expect(try await test.details("b").revision.expires == test.now + 120)
            #expect(try await test.details("c").revision.expires == test.now + 60)
            test.pass(seconds: 100)
            await test.maintain()
            #expect(try await test.body("a") != "404")
            #expect(try await test.body("c") == "404")
        }
    }

    @Test(arguments: [
        (JSONValue.int(60), Int64?.some(60)), (.string("60"), 60), (.int(2_592_000), 2_592_000), (.int(2_592_001), nil),
        (.string("2035-01-01T00:00:00.500Z"), nil), (.null, 0), (.int(0), 0),
    ])
    func timesAreRelativeUpToThirtyDays(value: JSONValue, relative: Int64?) throws {
        let time = try Expiry.time(value, now: 1_000)
        switch relative {
        case 0?: #expect(time == nil)
        case let seconds?: #expect(time == 1_000 + seconds)
        case nil: #expect(time == (value.integerValue ?? 2_051_222_400))
        }
    }

    @Test func timesThatAreNone() {
        #expect(throws: GatewayError.self) { try Expiry.time("tomorrow", now: 0) }
        #expect(throws: GatewayError.self) { try Expiry.time(["x"], now: 0) }
    }

    @Test func localDocumentsAreForgottenAfterNinetyDays() async throws {
        try await TestDatabase.run { test in
            let collection = TestDatabase.collection
            for id in ["old", "kept"] {
                _ = try await test.database.documents.putLocalDocument(
                    id, body: Array("{}".utf8), revision: nil, in: collection, as: .admin)
            }
            test.pass(seconds: 89 * 86_400)
            _ = try await test.database.documents.putLocalDocument(
                "kept", body: Array("{}".utf8), revision: "0-1", in: collection, as: .admin)
            test.pass(seconds: 2 * 86_400)
            await test.maintain()
            #expect(try await test.database.documents.localDocument("old", in: collection) == nil)
            #expect(try await test.database.documents.localDocument("kept", in: collection)?.revision == "0-2")
        }
    }
}
