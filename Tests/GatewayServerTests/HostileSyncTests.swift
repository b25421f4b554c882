import BLIPProtocol
import BLIPTransport
import DocumentValues
import Foundation
import Testing

/// Every way in which a sync client might ask for another's document, and none of them gives it.
@Suite(.serialized) struct HostileSyncTests {
    private static let secret = Array("TOPSECRET-BYTES".utf8)
    private static let digest = BlobDigest(of: secret).text
    private static let revision = "1-00000000000000000000000000000001"

    /// Runs `body` with alice's connection, beside a secret of bob's.
    private static func run(
        collections: [String] = ["field.inspections"],
        _ body: @escaping @Sendable (HostileSync, TestTeam, _ secret: String) async throws -> Void
    ) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let revision = try await team.storeSecret()
            try await body(try await HostileSync(gateway, user: "alice", collections: collections), team, revision)
        }
    }

    private static func stub(_ digest: String) -> JSONValue {
        ["stolen": ["stub": true, "digest": .string(digest), "revpos": 1, "length": .int(secret.count)]]
    }

    // MARK: - Reading

    @Test(.timeLimit(.minutes(2)), arguments: ["south", "*", "north,south", "!", "south,*"])
    func aGuessedChannelAnnouncesNothing(channels: String) async throws {
        try await Self.run { alice, team, _ in
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/mine", ["channels": ["north"]]))
            let (answer, ids) = try await alice.pull(
                ["collection": "0", "filter": "sync_gateway/bychannel", "channels": channels])
            #expect(answer.status == 200)
            #expect(!ids.contains("secret"))
            #expect(!alice.hasHeard("secret") && !alice.hasHeard("TOPSECRET"))
            #expect(ids.contains("mine") == (channels.contains("north") || channels.contains("*")))
        }
    }

    @Test(.timeLimit(.minutes(2))) func anotherUsersDocumentIsNotFoundByItsID() async throws {
        try await Self.run { alice, team, _ in
            let (answer, ids) = try await alice.pull(["collection": "0"], body: ["docIDs": ["secret"]])
            #expect(answer.status == 200)
            #expect(ids.isEmpty)
            let fetched = try await alice.ask("getRev", ["collection": "0", "id": "secret"])
            #expect(fetched.status == 403 || fetched.status == 404)
            #expect(!fetched.text.contains("TOPSECRET") && !alice.hasHeard("TOPSECRET"))
            let bob = try await HostileSync(team.gateway, user: "bob")
            #expect(try await bob.ask("getRev", ["collection": "0", "id": "secret"]).text.contains("TOPSECRET"))
        }
    }

    @Test(.timeLimit(.minutes(2))) func anAttachmentThatWasNotOfferedIsNotServed() async throws {
        try await Self.run { alice, team, _ in
            let mine: JSONValue = ["channels": ["north"], "_attachments": ["a": ["data": "aGk="]]]
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/mine", mine))
            #expect(try await alice.pull(["collection": "0"]).1 == ["mine"])
            for id in ["secret", "mine", "", "..", "nothing"] {
                let answer = try await alice.ask(
                    "getAttachment", ["collection": "0", "docID": id, "digest": Self.digest])
                #expect([400, 403].contains(answer.status), "\(id): \(answer)")
            }
            let own = BlobDigest(of: Array("hi".utf8)).text
            let unoffered = "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA="
            for digest in [unoffered, "", "../../secret", "sha1-"] {
                let answer = try await alice.ask(
                    "getAttachment", ["collection": "0", "docID": "mine", "digest": digest])
                #expect([400, 403].contains(answer.status), "\(digest): \(answer)")
            }
            let swapped = try await alice.ask(
                "getAttachment", ["collection": "0", "docID": "secret", "digest": own])
            #expect(swapped.status == 403)
        }
    }

    @Test(.timeLimit(.minutes(2))) func theOlderProtocolServesNoAttachmentByItsDigest() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            _ = try await team.storeSecret()
            let alice = try await HostileSync(gateway, user: "alice", subprotocols: ["BLIP_3+CBMobile_2"])
            let answer = try await alice.ask("getAttachment", ["collection": "0", "digest": Self.digest])
            #expect(answer.status == 403)
        }
    }

    /// Only a gateway asks for proofs: a client that does might try whether a guess of some bytes is right.
    @Test(.timeLimit(.minutes(2))) func aClientGetsNoProofs() async throws {
        try await Self.run { alice, _, _ in
            let answer = try await alice.ask(
                "proveAttachment", ["collection": "0", "digest": Self.digest], bytes: [1, 2, 3])
            #expect(answer.status == 404)
        }
    }

    // MARK: - Writing

    /// Naming another's attachment is not having it: the gateway asks for the bytes.
    @Test(.timeLimit(.minutes(2))) func aStubOfAnotherUsersAttachmentHasToBeSent() async throws {
        try await Self.run { alice, team, _ in
            alice.refuses("getAttachment", 404)
            alice.refuses("proveAttachment", 404)
            let body: JSONValue = ["channels": ["north"], "_attachments": Self.stub(Self.digest)]
            let answer = try await alice.push("thief", Self.revision, body)
            #expect(answer.status >= 400)
            #expect(alice.heard("getAttachment").count == 1)
            #expect(try await team.user("alice", "GET", "\(TestTeam.collection)/thief").status == 404)
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["wrong bytes", "wrong proof", "empty"])
    func aStubIsNotPaidForWithSomethingElse(how: String) async throws {
        try await Self.run { alice, team, secret in
            let bytes = how == "empty" ? [] : Array("sha1-guess".utf8)
            alice.answers("getAttachment", bytes)
            alice.answers("proveAttachment", bytes)
            // A child of the secret itself, whose bytes are here: there they have to be proved.
            let id = how == "wrong proof" ? "secret" : "thief"
            let revision = how == "wrong proof" ? "2-00000000000000000000000000000002" : Self.revision
            let body: JSONValue = ["channels": ["north"], "_attachments": Self.stub(Self.digest)]
            let answer = try await alice.push(id, revision, history: how == "wrong proof" ? secret : "", body)
            #expect(answer.status >= 400)
            let read = try await team.user("alice", "GET", "\(TestTeam.collection)/\(id)/stolen")
            #expect(read.status >= 400)
            #expect(!read.text.contains("TOPSECRET"))
        }
    }

    /// The sync function decides, also for those who speak to the sync endpoint.
    @Test(.timeLimit(.minutes(2))) func aDocumentThatOneMayNotWriteStaysAsItIs() async throws {
        try await Self.run { alice, team, secret in
            let function = "function(doc, old){ if (old) requireAccess(old.channels); channel(doc.channels); }"
            let changed = try await RawClient.request(
                "PUT", "\(TestTeam.collection)/_config/sync", port: team.gateway.adminPort,
                headers: [("Content-Type", "application/javascript")], body: Array(function.utf8))
            try team.expect(200, changed)
            let again = try await HostileSync(team.gateway, user: "alice")
            let revision = "2-00000000000000000000000000000002"
            for body: JSONValue in [["channels": ["north"]], ["channels": ["south"]]] {
                #expect(try await again.push("secret", revision, history: secret, body).status == 403)
            }
            let removal = try await again.ask(
                "rev", ["collection": "0", "id": "secret", "rev": revision, "history": secret, "deleted": "true"],
                body: [:])
            #expect(removal.status == 403)
            // Without the revision that is there, it is a conflict before it is anything else.
            #expect(try await again.push("secret", Self.revision, ["channels": ["north"]]).status >= 400)
            let found = try await team.user("bob", "GET", "\(TestTeam.collection)/secret")
            #expect(found.json?["_rev"]?.stringValue == secret)
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["", "_sync:user:bob", "_design/x", "../../etc/passwd", "a\u{1}b"])
    func idsThatLeadElsewhereLeadNowhere(id: String) async throws {
        try await Self.run { alice, team, _ in
            let answer = try await alice.push(id, Self.revision, ["channels": ["north"]])
            if id.isEmpty || id.hasPrefix("_") {
                #expect(answer.status >= 400)
            } else {
                #expect(answer.status == 200)
                #expect(try await alice.pull(["collection": "0"]).1 == [id])
            }
            #expect(try await team.user("bob", "GET", "/db/").status == 200)
        }
    }

    // MARK: - Collections and checkpoints

    @Test(.timeLimit(.minutes(2)))
    func collectionsOfAnotherScopeAreNotThere() async throws {
        try await Self.run(collections: []) { alice, _, _ in
            let names: JSONValue = ["other.inspections", "field.nothing", "field.inspections", "_default._default"]
            let clients: JSONValue = ["a", "b", "c", "d"]
            let request: JSONValue = ["collections": names, "checkpoint_ids": clients]
            let answer = try await alice.ask("getCollections", body: request)
            #expect(answer.text == "[null,null,{},null]")
            for index in ["0", "1", "3", "4", "-1", "x"] {
                #expect(try await alice.ask("subChanges", ["collection": index]).status == 400, "\(index)")
                #expect(try await alice.push("x", Self.revision, collection: index, [:]).status == 400, "\(index)")
            }
            #expect(try await alice.ask("subChanges").status == 400)
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["../../_local/plan", "../secret", "x/../../y"])
    func aCheckpointsNameReadsNothingElse(client: String) async throws {
        try await Self.run { alice, team, _ in
            try team.expect(
                201, try await team.admin("PUT", "\(TestTeam.collection)/_local/plan", ["text": "TOPSECRET"]))
            let answer = try await alice.ask("getCheckpoint", ["collection": "0", "client": client])
            #expect(answer.status == 404)
        }
    }

    // MARK: - Without measure

    /// A client that asks for everything and reads nothing costs the others nothing.
    @Test(.timeLimit(.minutes(2))) func aClientThatDoesNotReadHoldsNobodyUp() async throws {
        try await Self.run { alice, team, _ in
            let text = JSONValue.string(String(repeating: "x", count: 100_000))
            let documents = (0..<100).map { index -> JSONValue in
                ["_id": .string("d\(index)"), "channels": ["north"], "text": text]
            }
            let request: JSONValue = ["docs": .array(documents)]
            try team.expect(201, try await team.admin("POST", "\(TestTeam.collection)/_bulk_docs", request))
            alice.connection.pauseReading()
            let slow = try await HostileSync(team.gateway, user: "alice")
            #expect(try await slow.pull(["collection": "0"]).1.count == 100)
            #expect(try await team.user("bob", "GET", "\(TestTeam.collection)/secret").status == 200)
        }
    }

    @Test(.timeLimit(.minutes(2))) func aDocumentThatIsTooLargeIsRefused() async throws {
        try await Self.run { alice, team, _ in
            let text = JSONValue.string(String(repeating: "x", count: 21 << 20))
            let answer = try await alice.push("large", Self.revision, ["text": text])
            #expect(answer.status == 413)
            #expect(try await alice.push("small", Self.revision, ["channels": ["north"]]).status == 200)
        }
    }

    /// One that no memory would hold, too: what comes of it is thrown away, and everything else goes on.
    @Test(.timeLimit(.minutes(2))) func aMessageThatIsFarTooLargeIsRefusedAlone() async throws {
        try await Self.run { alice, team, _ in
            let large = [UInt8](repeating: UInt8(ascii: " "), count: 60 << 20)
            let answer = try await alice.ask(
                "rev", ["collection": "0", "id": "x", "rev": Self.revision], bytes: large)
            #expect(answer.status == 413 && answer.text.contains("Document too large!"))
            #expect(try await alice.push("small", Self.revision, ["channels": ["north"]]).status == 200)
        }
    }

    /// A request can be refused; a reply ends the connection.
    @Test(.timeLimit(.minutes(2))) func aReplyThatWouldTakeLongToReadIsNotRead() async throws {
        try await Self.run { alice, team, _ in
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/mine", ["channels": ["north"]]))
            alice.answers("changes", Array("[\(String(repeating: "0,", count: 200_000))0]".utf8))
            let closed = await #expect(throws: HostileSync.Closed.self) {
                _ = try await alice.ask("subChanges", ["collection": "0"])
                try await alice.hears("nothing")
            }
            #expect(closed?.reason?.code == WebSocketCloseCode.tooLarge)
        }
    }

    @Test(.timeLimit(.minutes(3))) func wrongTypesInMessagesAreTheClientsFault() async throws {
        try await Self.run { alice, team, _ in
            let values: [JSONValue] = [
                5, "x", [], [:], nil, true, [[[]]], [1, "a", nil], [[1, 2, 3]], [["a", "b", "c"]],
            ]
            let profiles = [
                "getCheckpoint", "setCheckpoint", "subChanges", "unsubChanges", "changes", "proposeChanges", "rev",
                "norev", "getAttachment", "proveAttachment", "getRev", "nothing", "",
            ]
            for profile in profiles {
                for value in values {
                    let properties: BLIPProperties = [
                        "collection": "0", "id": "t", "rev": value.description, "history": "x,,1-", "since": "[",
                        "batch": "-5", "client": "c", "deleted": "maybe", "digest": "7", "docID": "t",
                        "filter": "none", "channels": ",",
                    ]
                    let answer = try await alice.ask(profile, properties, body: value)
                    #expect(answer.status < 500, "\(profile) \(value): \(answer)")
                }
            }
            #expect(try await alice.push("fine", Self.revision, ["channels": ["north"]]).status == 200)
        }
    }
}
