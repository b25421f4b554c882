import DocumentValues
import Testing

/// Texts of many marks that may be combined with a letter: Swift's own comparison sorts them, in time with the square of
/// their number. Each of these took minutes, on every thread that the gateway has.
@Suite(.serialized, .timeLimit(.minutes(2))) struct CombiningMarkTests {
    /// Behind a letter: a text that begins with a mark often differs from others in its first character.
    private static let marks = "a" + String(repeating: "\u{301}\u{316}", count: 400_000)

    @Test(arguments: ["feed", "filter", "style", "since", "channels"]) func inARequestForChanges(member: String)
        async throws
    {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let body: JSONValue = .object([member: .string(Self.marks)])
            let answer = try await team.user("alice", "POST", "\(TestTeam.collection)/_changes", body)
            #expect([200, 400].contains(answer.status))
        }
    }

    @Test(arguments: ["revs_from", "atts_since", "id", "rev"]) func inARequestForDocuments(member: String) async throws
    {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try await team.expect(201, team.admin("PUT", "\(TestTeam.collection)/d", ["channels": ["north"]]))
            let list = ["revs_from", "atts_since"].contains(member)
            var wanted: JSONObject = ["id": "d"]
            wanted[member] = list ? [.string(Self.marks)] : .string(Self.marks)
            let body: JSONValue = .object(["docs": .array([.object(wanted)])])
            let answer = try await team.user("alice", "POST", "\(TestTeam.collection)/_bulk_get", body)
            #expect([200, 400].contains(answer.status))
        }
    }

    @Test func amongRevisionsThatMayBeMissing() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try await team.expect(201, team.admin("PUT", "\(TestTeam.collection)/d", ["channels": ["north"]]))
            let body: JSONValue = ["d": ["2-a", .string(Self.marks)]]
            let answer = try await team.user("alice", "POST", "\(TestTeam.collection)/_revs_diff", body)
            #expect(answer.status == 200)
        }
    }

    @Test func inADocument() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            var document: JSONObject = ["channels": ["north"], "text": .string(Self.marks)]
            document["_" + Self.marks] = 1
            document[Self.marks] = .string(Self.marks)
            let answer = try await team.user("alice", "PUT", "\(TestTeam.collection)/d", .object(document))
            #expect([201, 400].contains(answer.status))
        }
    }

    /// Such an address is passed over.
    @Test func inAMailAddress() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let user: JSONValue = ["password": "a long password", "email": .string(Self.marks + "@example.org")]
            let answer = try await team.admin("PUT", "/db/_user/carl", user)
            #expect(answer.status == 201)
            let stored = try await team.admin("GET", "/db/_user/carl").json
            let email: String = stored?["email"]?.stringValue ?? ""
            #expect(email.isEmpty)
        }
    }

    @Test func inALogLevel() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let body: JSONValue = ["logging": ["console": ["log_level": .string(Self.marks)]]]
            #expect(try await team.admin("PUT", "/_config", body).status == 400)
        }
    }

    @Test(arguments: ["Accept", "Connection", "Authorization", "Cookie", "Origin", "X-Forwarded-For", "Sec-Fetch-Site"])
    func inAHeader(name: String) async throws {
        try await TestGateway.run { gateway in
            let value = String(Self.marks.unicodeScalars.prefix(15_000))
            let answer = try await RawClient.request(
                "GET", "/db/", port: gateway.publicPort, headers: [(name, value)])
            #expect([400, 401, 431].contains(answer.status), "\(answer.status)")
        }
    }
}
