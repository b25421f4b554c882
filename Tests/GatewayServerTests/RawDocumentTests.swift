import DocumentValues
import Testing

/// `_raw`: an administrator reads there why a user sees a document, or does not.
@Suite struct RawDocumentTests {
    private static let function =
        "function(doc){ channel(doc.channels); access(doc.users, doc.gives); role(doc.users, doc.roles); }"

    @Test(.timeLimit(.minutes(1))) func whatADocumentGrantsIsShown() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("PUT", "/raw/", ["sync": .string(Self.function)]))
            try team.expect(201, try await team.admin("PUT", "/raw/plain", ["channels": ["north"]]))
            let granting: JSONValue = [
                "users": ["ann", "role:crew"], "gives": ["north", "south"], "_exp": 2_000_000_000,
            ]
            try team.expect(201, try await team.admin("PUT", "/raw/granting", granting))
            try team.expect(201, try await team.admin("PUT", "/raw/roles", ["users": "ann", "roles": "role:crew"]))
            func sync(_ id: String) async throws -> JSONValue? {
                try await team.admin("GET", "/raw/_raw/\(id)").json?["_sync"]
            }
            let plain = try await sync("plain")
            #expect(plain?["rev"] != nil)
            #expect(plain?["access"] == nil && plain?["role_access"] == nil && plain?["exp"] == nil)
            let grants = try #require(try await sync("granting"))
            let sequence = try #require(grants["sequence"])
            let channels: JSONValue = ["north": sequence, "south": sequence]
            #expect(grants["access"] == ["ann": channels, "role:crew": channels])
            #expect(grants["exp"] == "2033-05-18T03:33:20Z")
            let roles = try #require(try await sync("roles"))
            #expect(roles["role_access"] == ["ann": ["crew": try #require(roles["sequence"])]])
        }
    }

    /// The last stay in each channel, and those before it, as Sync Gateway shows them.
    @Test(.timeLimit(.minutes(1))) func staysInChannelsAreShown() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("PUT", "/raw/", ["sync": .string(Self.function)]))
            var revision = ""
            func put(_ channels: JSONValue, deletes: Bool = false) async throws -> (
                sequence: JSONValue, sync: JSONValue
            ) {
                var document: JSONObject = ["channels": channels]
                if deletes { document["_deleted"] = true }
                let path = "/raw/d" + (revision.isEmpty ? "" : "?rev=\(revision)")
                let answer = try await team.admin("PUT", path, .object(document))
                try team.expect(201, answer)
                revision = try #require(answer.json?["rev"]?.stringValue)
                let sync = try #require(try await team.admin("GET", "/raw/_raw/d").json?["_sync"])
                return (try #require(sync["sequence"]), sync)
            }
            let first = try await put(["east", "north"])
            #expect(
                first.sync["channel_set"]
                    == [["name": "east", "start": first.sequence], ["name": "north", "start": first.sequence]])
            #expect(first.sync["channel_set_history"] == .null)
            let second = try await put(["east"])
            #expect(
                second.sync["channel_set"]?[1]
                    == ["name": "north", "start": first.sequence, "end": second.sequence])
            let third = try await put(["east", "north"])
            #expect(third.sync["channel_set"]?[1] == ["name": "north", "start": third.sequence])
            #expect(
                third.sync["channel_set_history"]
                    == [["name": "north", "start": first.sequence, "end": second.sequence]])
            let last = try await put([], deletes: true)
            #expect(
                last.sync["channel_set"] == [
                    ["name": "east", "start": first.sequence, "end": last.sequence],
                    ["name": "north", "start": third.sequence, "end": last.sequence],
                ])
            let redacted = try await team.admin("GET", "/raw/_raw/d?redact=true").json?["_sync"]
            #expect(redacted?["channel_set"] == .null && redacted?["channel_set_history"] == .null)
        }
    }

    /// What is given to somebody who may not see it names nobody and nothing; the hashes are Sync Gateway's.
    @Test(.timeLimit(.minutes(1))) func whatIsRedactedNamesNothing() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("PUT", "/raw/", ["sync": .string(Self.function)]))
            let document: JSONValue = [
                "channels": ["north"], "users": "jutta", "gives": ["A"], "text": "words",
                "_attachments": ["plan.txt": ["data": "aGVs\r\nbG8="]],
            ]
            try team.expect(201, try await team.admin("PUT", "/raw/d", document))
            let answer = try await team.admin("GET", "/raw/_raw/d?redact=true&salt=x")
            try team.expect(200, answer)
            let sync = try #require(answer.json?["_sync"])
            // SHA-1 of "xA".
            #expect(
                sync["access"]?.objectValue?.members.first?.value.objectValue?.keys.first
                    == "fb2ef4ba6ffc73d9438a5e1365de7d95549fa911")
            for name in ["north", "jutta", "words", "plan.txt"] {
                #expect(!answer.text.contains(name), "\(answer.text)")
            }
            #expect(sync["attachments"]?.objectValue?.members.first?.value["length"] == 5, "base64 may come in lines")
            let unsalted = try await [
                team.admin("GET", "/raw/_raw/d?redact=true"), team.admin("GET", "/raw/_raw/d?redact=true&salt="),
            ]
            .map { $0.json?["_sync"]?["channels"] }
            #expect(unsalted[0] != unsalted[1] && !unsalted.contains(sync["channels"]))
            let again = try await team.admin("GET", "/raw/_raw/d?redact=true&salt=")
            #expect(again.json?["_sync"]?["channels"] != unsalted[1], "no salt is one by chance")
            let both = try await team.admin("GET", "/raw/_raw/d?redact=true&include_doc=true")
            #expect(both.status == 400)
            #expect(both.json?["reason"]?.stringValue?.hasPrefix("redact and include_doc cannot be true") == true)
        }
    }

    /// Every document is in `*`; one whose function says so is in nothing else.
    @Test(.timeLimit(.minutes(1))) func aDocumentInEveryChannelIsForThoseWhoSeeAll() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let keyspace = TestTeam.collection
            try team.expect(201, try await team.admin("PUT", "\(keyspace)/plain", ["channels": ["north"]]))
            try team.expect(201, try await team.admin("PUT", "\(keyspace)/star", ["channels": ["north", "*", "!"]]))
            let all: JSONValue = ["field": ["inspections": ["admin_channels": ["*"]]]]
            try team.expect(
                201, try await team.admin("PUT", "/db/_user/carol", ["password": "pass", "collection_access": all]))
            for (name, status) in [("alice", 403), ("carol", 200)] {
                #expect(try await team.user(name, "GET", "\(keyspace)/star").status == status, "\(name)")
                #expect(try await team.user(name, "GET", "\(keyspace)/plain").status == 200, "\(name)")
            }
        }
    }

    /// As in Sync Gateway, where the query and the body of a request for changes differ.
    @Test(.timeLimit(.minutes(1))) func theQueryOfAChangesRequestHoldsAgainstItsBody() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let keyspace = TestTeam.collection
            for number in 1...4 {
                try team.expect(201, try await team.admin("PUT", "\(keyspace)/d\(number)", ["channels": ["north"]]))
            }
            func rows(_ query: String, _ body: JSONValue) async throws -> [String] {
                let answer = try await team.admin("POST", "\(keyspace)/_changes\(query)", body)
                try team.expect(200, answer)
                return answer.json?["results"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
            }
            #expect(try await rows("", ["limit": 3]) == ["d1", "d2", "d3"])
            #expect(try await rows("?limit=1", ["limit": 3]) == ["d1"])
            let two = try await team.admin("GET", "\(keyspace)/_changes?limit=2")
            let sequence = try #require(two.json?["last_seq"])
            #expect(try await rows("?since=\(sequence)&limit=1", ["since": 0]) == ["d3"])
            let chosen: JSONValue = ["filter": "_doc_ids", "doc_ids": ["d2"]]
            #expect(try await rows("?doc_ids=d4", chosen) == ["d4"])
            #expect(try await rows("?doc_ids=", chosen) == ["d2"])
            #expect(try await rows("?filter=", chosen) == ["d1", "d2", "d3", "d4"])
        }
    }
}
