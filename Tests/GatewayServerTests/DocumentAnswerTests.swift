import DocumentValues
import Testing

/// Parts of answers about documents that readers rely on.
@Suite(.serialized) struct DocumentAnswerTests {
    private static let keyspace = TestTeam.collection

    private func revisions(_ team: TestTeam, _ count: Int) async throws -> [String] {
        var revisions: [String] = []
        for number in 0..<count {
            var body: JSONObject = ["channels": ["north"], "n": .int(number)]
            if let last = revisions.last { body["_rev"] = .string(last) }
            let answer = try await team.admin("PUT", "\(Self.keyspace)/d", .object(body))
            revisions.append(try #require(answer.json?["rev"]?.stringValue))
        }
        return revisions
    }

    /// Otherwise nobody could fetch it: a client refuses an answer whose headers it cannot hold.
    @Test(.timeLimit(.minutes(1))) func aLongTypeOfAnAttachmentIsNoHeader() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let long = JSONValue.string(String(repeating: "a\u{301}", count: 100_000))
            let attachments: JSONValue = [
                "type": ["data": "aGVsbG8=", "content_type": long], "coding": ["data": "aGVsbG8=", "encoding": long],
            ]
            let path = "\(Self.keyspace)/d"
            try team.expect(
                201, try await team.admin("PUT", path, ["channels": ["north"], "_attachments": attachments]))
            for name in ["type", "coding"] {
                let answer = try await team.user("alice", "GET", "\(path)/\(name)")
                #expect(answer.status == 200 && answer.body == Array("hello".utf8))
                #expect(answer.headers.map(\.value.utf8.count).max() ?? 0 < 1_000)
            }
            #expect(try await team.user("alice", "GET", path).json?["_attachments"]?["type"]?["content_type"] == long)
        }
    }

    @Test(.timeLimit(.minutes(1))) func historiesEndWhereTheReaderAsks() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let revisions = try await revisions(team, 4)
            func count(_ query: String) async throws -> Int? {
                try await team.admin("GET", "\(Self.keyspace)/d?revs=true&\(query)").json?["_revisions"]?["ids"]?
                    .arrayValue?.count
            }
            #expect(try await count("revs_from=%5B%22\(revisions[1])%22%5D") == 3)
            #expect(try await count("revs_limit=0") == nil)
            #expect(try await count("revs_limit=-1") == 4)
            #expect(try await count("revs_limit=2") == 2)
            func listed(_ asked: JSONObject) async throws -> Int {
                var asked = asked
                asked["id"] = "d"
                let answer = try await team.admin(
                    "POST", "\(Self.keyspace)/_bulk_get?revs=true", ["docs": [.object(asked)]])
                let ids = answer.text.split(separator: "\"ids\":[").last?.split(separator: "]").first ?? ""
                return ids.split(separator: ",").count
            }
            let known = JSONValue.array([.string(revisions[1])])
            #expect(try await listed([:]) == 4)
            #expect(try await listed(["revs_from": known]) == 3)
            #expect(try await listed(["atts_since": known]) == 3)
            #expect(try await listed(["revs_limit": 2]) == 2)
        }
    }

    @Test(.timeLimit(.minutes(1))) func anAttachmentMovesNoOtherAndMakesNothingAgain() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            func put(_ name: String, _ revision: JSONValue?) async throws -> RawAnswer {
                try await RawClient.request(
                    "PUT", "\(Self.keyspace)/d/\(name)?rev=\(revision?.stringValue ?? "")", port: gateway.adminPort,
                    headers: [("Content-Type", "text/plain")], body: Array("abc".utf8))
            }
            let first = try await team.admin(
                "PUT", "\(Self.keyspace)/d", ["channels": ["north"], "_attachments": ["x": ["data": "YWJj"]]])
            let second = try await put("y", first.json?["rev"])
            try team.expect(201, second)
            let stubs = try await team.admin("GET", "\(Self.keyspace)/d").json?["_attachments"]
            #expect(stubs?["x"]?["revpos"] == 1)
            #expect(stubs?["y"]?["revpos"] == 2)
            let revision = second.json?["rev"]?.stringValue ?? ""
            let deleted = try await team.admin("DELETE", "\(Self.keyspace)/d?rev=\(revision)")
            try team.expect(201, try await put("late", deleted.json?["rev"]))
            try team.expect(404, try await team.admin("GET", "\(Self.keyspace)/d"))
        }
    }

    /// What a tombstone's body says is nothing to a rule about the older revision.
    @Test(.timeLimit(.minutes(1))) func functionsSeeNothingOfATombstone() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let function = "function(doc, oldDoc){ if (oldDoc && oldDoc.lock) throw({forbidden: 'locked'}); }"
            let set = try await RawClient.request(
                "PUT", "\(Self.keyspace)/_config/sync", port: gateway.adminPort,
                headers: [("Content-Type", "application/javascript")], body: Array(function.utf8))
            try team.expect(200, set)
            func put(_ body: JSONValue) async throws -> RawAnswer {
                try await team.admin("PUT", "\(Self.keyspace)/d", body)
            }
            let first = try #require(try await put(["n": 1]).json?["rev"])
            let deleted = try await put(["_deleted": true, "_rev": first, "lock": true])
            try team.expect(201, deleted)
            let again = try await put(["_rev": try #require(deleted.json?["rev"]), "lock": true])
            try team.expect(201, again)
            #expect(try await put(["_rev": try #require(again.json?["rev"]), "n": 2]).status == 403)
        }
    }

    @Test(.timeLimit(.minutes(1))) func siblingsShareTheirParent() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let revisions = try await revisions(team, 2)
            func difference(_ asked: [String]) async throws -> JSONValue? {
                let asked = JSONValue.array(asked.map { .string($0) })
                return try await team.admin("POST", "\(Self.keyspace)/_revs_diff", ["d": asked]).json?["d"]
            }
            let sibling = try await difference(["2-zz"])
            #expect(sibling?["possible_ancestors"] == [.string(revisions[0])])
            let child = try await difference(["3-zz"])
            #expect(child?["possible_ancestors"] == [.string(revisions[1])])
            #expect(try await difference([revisions[1]]) == nil)
        }
    }

    @Test(.timeLimit(.minutes(1))) func attachmentsComeWithTheirHeaders() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let attachments: JSONValue = [
                "text": ["content_type": "text/plain", "data": "aGVsbG8=", "x": 1],
                "page": ["content_type": "text/html", "data": "aGVsbG8="], "untyped": ["data": "aGVsbG8="],
                "packed": ["content_type": "text/plain", "encoding": "gzip", "data": "aGVsbG8="],
            ]
            let body: JSONValue = ["channels": ["north"], "_attachments": attachments]
            try team.expect(201, try await team.admin("PUT", "\(Self.keyspace)/d", body))
            func disposition(_ name: String) async throws -> String? {
                try await team.user("alice", "GET", "\(Self.keyspace)/d/\(name)").header("Content-Disposition")
            }
            #expect(try await disposition("text") == nil)
            #expect(try await disposition("page") == "attachment")
            #expect(try await disposition("untyped") == "attachment")
            // Whatever is shown there.
            for name in ["page", "text"] {
                let answer = try await team.user("alice", "GET", "\(Self.keyspace)/d/\(name)")
                #expect(answer.header("Content-Security-Policy") == "sandbox")
            }
            #expect(
                try await team.admin("GET", "\(Self.keyspace)/d/text").header("Content-Disposition") == "attachment")
            let packed = try await team.user("alice", "GET", "\(Self.keyspace)/d/packed")
            #expect(packed.header("Content-Encoding") == "gzip")
            let plain = try await team.user("alice", "GET", "\(Self.keyspace)/d/packed?content_encoding=false")
            #expect(plain.header("Content-Encoding") == nil && plain.header("Content-Type") == "application/gzip")
            let stubs = try await team.admin("GET", "\(Self.keyspace)/d").json?["_attachments"]
            #expect(stubs?["packed"]?["encoded_length"]?.integerValue == 5 && stubs?["packed"]?["length"] == nil)
            #expect(stubs?["text"]?["x"] == nil)
            let behind = try await team.user(
                "alice", "GET", "\(Self.keyspace)/d/text", headers: [("Range", "bytes=9-")])
            #expect(behind.status == 416)
        }
    }

    @Test(.timeLimit(.minutes(1))) func theSyncFunctionSeesWhatWasAttached() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let function =
                "function(doc, old){ if (old) throw({forbidden: JSON.stringify(old._attachments.a.length)}) }"
            try team.expect(201, try await team.admin("PUT", "/plain/", ["sync": .string(function)]))
            let made = try await team.admin("PUT", "/plain/d", ["_attachments": ["a": ["data": "aGVsbG8="]]])
            let revision = try #require(made.json?["rev"]?.stringValue)
            let refused = try await team.admin("PUT", "/plain/d?rev=\(revision)", [:])
            #expect(refused.status == 403 && refused.json?["reason"]?.stringValue == "5")
        }
    }

    @Test(.timeLimit(.minutes(1))) func ownChannelsAreShownAtLogin() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("PUT", "/plain/", [:]))
            try team.expect(201, try await team.admin("PUT", "/plain/_role/r", ["admin_channels": ["theirs"]]))
            let user: JSONValue = ["password": "pass", "admin_channels": ["mine"], "admin_roles": ["r"]]
            try team.expect(201, try await team.admin("PUT", "/plain/_user/alice", user))
            let channels = try await team.user("alice", "GET", "/plain/_session").json?["userCtx"]?["channels"]
            #expect(Set(channels?.objectValue?.keys ?? []) == ["!", "mine"])
        }
    }

    @Test(.timeLimit(.minutes(1))) func otherCodingsThanGzipAreRefused() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            for coding in ["deflate", "br"] {
                let answer = try await RawClient.request(
                    "PUT", "\(Self.keyspace)/d", port: gateway.adminPort, headers: [("Content-Encoding", coding)],
                    body: Array("{}".utf8))
                #expect(answer.status == 415, "\(coding)")
            }
            try team.expect(404, try await team.admin("GET", "\(Self.keyspace)/d"))
        }
    }
}
