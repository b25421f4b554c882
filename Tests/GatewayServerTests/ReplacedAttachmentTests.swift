import BLIPProtocol
import DocumentValues
import Testing

/// A client in the middle of a pull, and a revision that is replaced before it came for the attachments.
@Suite(.serialized) struct ReplacedAttachmentTests {
    private static func body(_ text: String, channel: String = "north") -> JSONValue {
        ["channels": [.string(channel)], "_attachments": ["f": ["data": .string(Base64.encode(Array(text.utf8)))]]]
    }

    private static func ask(_ client: HostileSync, _ text: String) async throws -> HostileSync.Answer {
        let digest = BlobDigest(of: Array(text.utf8)).text
        return try await client.ask("getAttachment", ["collection": "0", "docID": "d", "digest": digest])
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func whatWasAnnouncedIsStillServed(isDeleted: Bool) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/d"
            let first = try await team.admin("PUT", path, Self.body("first"))
            let revision = try #require(first.json?["rev"]?.stringValue)
            let alice = try await HostileSync(gateway, user: "alice")
            alice.ignores("rev")
            #expect(try await alice.pull(["collection": "0"]).1 == ["d"])
            try await alice.hears("rev")
            let replaced =
                try await isDeleted
                ? team.admin("DELETE", "\(path)?rev=\(revision)")
                : team.admin("PUT", "\(path)?rev=\(revision)", Self.body("second"))
            #expect([200, 201].contains(replaced.status))
            #expect(try await Self.ask(alice, "first").text == "first")
            // Nothing but the revision that was sent opens it.
            #expect(try await Self.ask(alice, "second").status == 403)
            let late = try await HostileSync(gateway, user: "alice")
            late.ignores("rev")
            _ = try await late.pull(["collection": "0"])
            if !isDeleted { try await late.hears("rev") }
            #expect(try await Self.ask(late, "first").status == 403)
        }
    }

    /// Alice may write the document, and knows the digest of what it had while she could not see it.
    @Test(.timeLimit(.minutes(1))) func anEarlierRevisionsAttachmentIsNotHadByItsDigest() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/d"
            var answer = try await team.admin("PUT", path, Self.body("TOPSECRET-BYTES", channel: "south"))
            let hidden = try #require(answer.json?["rev"]?.stringValue)
            answer = try await team.admin("PUT", "\(path)?rev=\(hidden)", ["channels": ["north"]])
            let open = try #require(answer.json?["rev"]?.stringValue)
            let earlier = try await team.user("alice", "GET", "\(path)/f?rev=\(hidden)")
            #expect(earlier.status >= 400 && !earlier.text.contains("TOPSECRET"))
            let digest = BlobDigest(of: Array("TOPSECRET-BYTES".utf8)).text
            let stub: JSONValue = [
                "channels": ["north"], "_attachments": ["f": ["stub": true, "digest": .string(digest), "revpos": 1]],
            ]
            _ = try await team.user("alice", "PUT", "\(path)?rev=\(open)", stub)
            #expect(try await !team.user("alice", "GET", "\(path)/f").text.contains("TOPSECRET"))
            let alice = try await HostileSync(gateway, user: "alice")
            alice.ignores("rev")
            _ = try await alice.pull(["collection": "0"])
            try await alice.hears("rev")
            #expect(try await Self.ask(alice, "TOPSECRET-BYTES").status >= 400)
            #expect(!alice.hasHeard("TOPSECRET"))
        }
    }
}
