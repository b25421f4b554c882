import BLIPProtocol
import DocumentValues
import Testing

/// A database that allows conflicts, as its readers and writers see it; the answers are those of Sync Gateway 3.3.7.
@Suite(.serialized) struct ConflictTests {
    private static let keyspace = TestTeam.collection

    /// `d`: 1-a, then 2-b in `north` (alice's) and, current, 2-c in `south` (bob's).
    private static func run(_ body: @escaping @Sendable (TestTeam) async throws -> Void) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("POST", "/db/_config", ["allow_conflicts": true]))
            try await push(team, 1, ["a"], ["v": 1, "channels": ["north"]])
            try await push(team, 2, ["b", "a"], ["v": 2, "channels": ["north"]])
            try await push(team, 2, ["c", "a"], ["v": 3, "channels": ["south"]])
            try await body(team)
        }
    }

    private static func push(_ team: TestTeam, _ start: Int, _ ids: [String], _ content: JSONObject) async throws {
        var body = content
        body["_id"] = "d"
        body["_rev"] = .string("\(start)-\(ids[0])")
        body["_revisions"] = ["start": .int(start), "ids": .array(ids.map { .string($0) })]
        let request: JSONValue = ["docs": [.object(body)], "new_edits": false]
        let answer = try await team.admin("POST", "\(keyspace)/_bulk_docs", request)
        let revision = try #require(body["_rev"])
        #expect(answer.json == [["id": "d", "rev": revision]], "\(answer.text)")
    }

    private static func changes(_ team: TestTeam, _ query: String) async throws -> String {
        let answer = try await team.admin("GET", "\(keyspace)/_changes\(query)")
        let rows = answer.json?["results"]?.arrayValue ?? []
        return rows.map { row in
            let revisions = row["changes"]?.arrayValue?.compactMap { $0["rev"]?.stringValue } ?? []
            return revisions.joined(separator: " ")
        }.joined(separator: "; ")
    }

    @Test(.timeLimit(.minutes(1))) func everyLeafIsListedForThoseWhoAsk() async throws {
        try await Self.run { team in
            #expect(try await Self.changes(team, "") == "2-c")
            #expect(try await Self.changes(team, "?style=all_docs") == "2-c 2-b")
            #expect(try await Self.changes(team, "?style=all_docs&filter=_doc_ids&doc_ids=%5B%22d%22%5D") == "2-c 2-b")
            try await Self.push(team, 3, ["t", "b", "a"], ["_deleted": true])
            #expect(try await Self.changes(team, "?style=all_docs") == "2-c 3-t")
            #expect(try await Self.changes(team, "?style=all_docs&active_only=true") == "2-c")
            let raw = try await team.admin("GET", "/\(Self.keyspace.dropFirst())/_raw/d")
            #expect(raw.json?["_sync"]?["flags"] == 20 && raw.json?["_sync"]?["new_rev"] == "3-t", "\(raw.text)")
            #expect(raw.json?["_sync"]?["history"]?["deleted"] == [0])
        }
    }

    /// The document went from `north` when 2-c became the current revision; 2-b is still in it.
    @Test(.timeLimit(.minutes(1))) func aLeafThatMayStillBeReadIsListedWhereTheDocumentWent() async throws {
        try await Self.run { team in
            func row(_ name: String) async throws -> JSONValue? {
                let answer = try await team.user(name, "GET", "\(Self.keyspace)/_changes?style=all_docs")
                return answer.json?["results"]?.arrayValue?.first { $0["id"] == "d" }
            }
            let gone = try await row("alice")
            #expect(gone?["removed"] == ["north"])
            #expect(gone?["changes"] == [["rev": "2-c"], ["rev": "2-b"]])
            try await Self.push(team, 3, ["e", "b", "a"], ["v": 4, "channels": ["south"]])
            #expect(try await row("alice")?["changes"] == [["rev": "2-c"]], "no leaf is in north any more")
            #expect(try await row("bob")?["changes"] == [["rev": "3-e"], ["rev": "2-c"]])
            try await Self.push(team, 4, ["t", "e", "b", "a"], ["_deleted": true])
            #expect(try await row("bob")?["changes"] == [["rev": "2-c"], ["rev": "4-t"]])
            try await Self.push(team, 3, ["u", "c", "a"], ["_deleted": true])
            #expect(try await row("bob")?["changes"] == [["rev": "4-t"], ["rev": "3-u"]])
        }
    }

    @Test(.timeLimit(.minutes(1))) func aTreeShowsRootsWithoutChildren() async throws {
        try await Self.run { team in
            try await Self.push(team, 1, ["z"], [:])
            let tree = try await team.admin("GET", "/\(Self.keyspace.dropFirst())/_revtree/d").text
            #expect(tree == #"digraph graphname{"" -> "1-z"; "1-a" -> "2-c"; "1-a" -> "2-b"; }"#)
            try await Self.push(team, 3, ["d", "b"], ["_deleted": true])
            try await Self.push(team, 1, ["t"], ["_deleted": true])
            let withTombstones = try await team.admin("GET", "/\(Self.keyspace.dropFirst())/_revtree/d").text
            let dead = #""1-t" [fontcolor=red];"" -> "1-t" [label="Tombstone", fontcolor=red];"#
            #expect(withTombstones.contains(dead), "\(withTombstones)")
            let deleted = #""3-d" [fontcolor=red];"2-b" -> "3-d" [label="Tombstone", fontcolor=red];"1-a" -> "2-b"; "#
            #expect(withTombstones.contains(deleted), "\(withTombstones)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func everyoneReadsTheLeavesOfHisChannels() async throws {
        try await Self.run { team in
            func read(_ name: String, _ query: String) async throws -> String {
                let answer = try await team.user(name, "GET", "\(Self.keyspace)/d\(query)")
                guard answer.status == 200 else { return "\(answer.status)" }
                return answer.json?["_removed"] == true ? "removed" : answer.json?["v"]?.description ?? answer.text
            }
            for (name, own, other, current) in [("alice", "2-b", "2-c", "403"), ("bob", "2-c", "2-b", "3")] {
                #expect(try await read(name, "") == current)
                #expect(try await read(name, "?rev=\(own)") == (name == "alice" ? "2" : "3"))
                #expect(try await read(name, "?rev=\(other)") == "removed")
                let open = try await team.user(
                    name, "GET", "\(Self.keyspace)/d?open_revs=all", headers: [("Accept", "application/json")])
                let shown = open.json?.arrayValue?.compactMap { $0["ok"] }.filter { $0["_removed"] == nil }
                #expect(shown?.compactMap { $0["_rev"]?.stringValue } == [own], "\(open.text)")
            }
            let wanted: JSONValue = ["docs": [["id": "d", "rev": "2-b"], ["id": "d"]]]
            let bulk = try await team.user("alice", "POST", "\(Self.keyspace)/_bulk_get", wanted)
            #expect(bulk.text.contains(#""v":2"#) && bulk.text.contains(#""status":403"#), "\(bulk.text)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func anyLeafIsEdited() async throws {
        try await Self.run { team in
            for (revision, status) in [("1-a", 409), ("2-zz", 409), ("2-b", 201)] {
                let answer = try await team.admin("PUT", "\(Self.keyspace)/d?rev=\(revision)", ["v": 4])
                #expect(answer.status == status, "\(revision): \(answer.text)")
            }
            #expect(try await team.admin("PUT", "\(Self.keyspace)/d", [:]).status == 409)
            let current = try await team.admin("GET", "\(Self.keyspace)/d").json
            #expect(current?["v"] == 4)
            let revision = try #require(current?["_rev"]?.stringValue)
            try team.expect(200, try await team.admin("DELETE", "\(Self.keyspace)/d?rev=\(revision)"))
            #expect(try await team.admin("GET", "\(Self.keyspace)/d").json?["_rev"] == "2-c")
        }
    }

    @Test(.timeLimit(.minutes(1))) func attachmentsAreAddedToTheLeafThatIsNamed() async throws {
        try await Self.run { team in
            let path = "\(Self.keyspace)/d/note?rev=2-b"
            let refused = try await team.user("bob", "PUT", path, "hello")
            #expect(refused.status == 403, "he does not see what he would copy: \(refused.text)")
            try team.expect(201, try await team.user("alice", "PUT", path, "hello"))
            let current = try await team.admin("GET", "\(Self.keyspace)/d").json
            #expect(current?["v"] == 2 && current?["_attachments"]?["note"]?["length"] == 7)
            #expect(try await team.admin("PUT", path, "again").status == 409, "it is no leaf any more")
            #expect(try await team.user("bob", "GET", "\(Self.keyspace)/d/note").status == 403)
            #expect(try await team.admin("GET", "\(Self.keyspace)/d?rev=2-c").json?["_attachments"] == nil)
        }
    }

    @Test(.timeLimit(.minutes(1))) func shortHistoriesAreRefused() async throws {
        try await Self.run { team in
            for (limit, status) in [(0, 400), (19, 400), (20, 201)] {
                let answer = try await team.admin("POST", "/db/_config", ["revs_limit": .int(limit)])
                #expect(answer.status == status)
                guard status == 400 else { continue }
                let reason =
                    "1 errors:\nThe revs_limit (\(limit)) value in your Sync Gateway configuration cannot be set lower than 20."
                #expect(answer.json?["reason"] == .string(reason))
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func aLeafWithoutItsAttachmentsHidesNoOther() async throws {
        try await Self.run { team in
            let stub: JSONValue = ["stub": true, "digest": "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "revpos": 1]
            try await Self.push(team, 3, ["x", "b", "a"], ["_attachments": ["never": stub]])
            for (type, own) in [
                ("application/json", #"{"missing":"3-x"}"#), ("multipart/mixed", #"{"missing":"3-x"}"#),
            ] {
                let open = try await team.user(
                    "bob", "GET", "\(Self.keyspace)/d?open_revs=all", headers: [("Accept", type)])
                #expect(open.status == 200 && open.text.contains(#""v":3"#), "\(open.text)")
                let all = try await RawClient.request(
                    "GET", "\(Self.keyspace)/d?open_revs=all", port: team.gateway.adminPort, headers: [("Accept", type)]
                )
                #expect(all.text.contains(own), "\(all.text)")
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func writesThatLeaveConflictsAreCounted() async throws {
        try await Self.run { team in
            func count() async throws -> String? {
                let metrics = try await RawClient.request("GET", "/metrics", port: team.gateway.metricsPort)
                return metrics.text.split(separator: "\n").first { $0.hasPrefix("sgw_database_conflict_write_count{") }
                    .map(String.init)
            }
            #expect(try await count() == #"sgw_database_conflict_write_count{database="db"} 1"#)
            try team.expect(200, try await team.admin("DELETE", "\(Self.keyspace)/d?rev=2-b"))
            #expect(try await count() == #"sgw_database_conflict_write_count{database="db"} 1"#)
            try await Self.push(team, 1, ["z"], ["v": 9])
            #expect(try await count() == #"sgw_database_conflict_write_count{database="db"} 2"#)
        }
    }

    // MARK: - Sync clients

    @Test(.timeLimit(.minutes(1))) func clientsAnnounceByEitherMessage() async throws {
        try await Self.run { team in
            let alice = try await HostileSync(team.gateway, user: "alice")
            let announced: JSONValue = [[1, "d", "2-aa"], [2, "d", "2-b"], [3, "new", "1-n"]]
            let changes = try await alice.ask("changes", ["collection": "0"], body: announced)
            #expect(changes.text == #"[["1-a"],0,[]]"#)
            let proposed: JSONValue = [["d", "2-aa", "1-a"], ["d", "2-c"], ["d", "3-d", "2-c"]]
            let verdicts = try await alice.ask("proposeChanges", ["collection": "0"], body: proposed)
            #expect(verdicts.text == "[409,304]")
            let refusing: BLIPProperties = [
                "collection": "0", "id": "d", "rev": "2-aa", "history": "1-a", "noconflicts": "1",
            ]
            #expect(try await alice.ask("rev", refusing, body: ["v": 4]).status == 409)
            #expect(try await alice.push("d", "2-aa", history: "1-a", ["v": 4, "channels": ["north"]]).status == 200)
            #expect(try await Self.changes(team, "?style=all_docs") == "2-c 2-b 2-aa")
        }
    }

    /// As from Sync Gateway: clients are notified of the current revision alone.
    @Test(.timeLimit(.minutes(1))) func clientsPullTheCurrentRevision() async throws {
        try await Self.run { team in
            let bob = try await HostileSync(team.gateway, user: "bob")
            let (_, ids) = try await bob.pull(["collection": "0"])
            #expect(ids == ["d"])
            try await bob.hears("rev")
            #expect(bob.heard("rev").map { $0.properties["rev"] } == ["2-c"])
        }
    }
}
