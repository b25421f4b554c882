import DocumentValues
import Foundation
import Testing

/// Every way in which a user might request another user's document: none of them succeeds.
@Suite(.serialized) struct HostileReaderTests {
    @Test(.timeLimit(.minutes(2))) func anotherUsersDocumentIsNotReadInAnyWay() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let revision = try await team.storeSecret()
            let keyspace = TestTeam.collection
            let digest = BlobDigest(of: Array("TOPSECRET-BYTES".utf8)).text
            let mine: JSONValue = [
                "channels": ["north"],
                "_attachments": ["stolen": ["stub": true, "digest": .string(digest), "revpos": 1]],
            ]
            _ = try await team.user("alice", "PUT", "\(keyspace)/mine", mine)
            let requests: [(String, String, JSONValue?)] = [
                ("GET", "\(keyspace)/secret", nil), ("GET", "\(keyspace)/secret?rev=\(revision)", nil),
                ("GET", "\(keyspace)/secret?open_revs=all", nil),
                ("GET", "\(keyspace)/secret?open_revs=%5B%22\(revision)%22%5D&attachments=true", nil),
                ("GET", "\(keyspace)/secret?attachments=true&rev=\(revision)", nil),
                ("GET", "\(keyspace)/secret/plan.txt", nil),
                ("GET", "\(keyspace)/secret/plan.txt?rev=\(revision)", nil),
                ("GET", "\(keyspace)/mine/stolen", nil), ("GET", "\(keyspace)/mine?attachments=true", nil),
                ("POST", "\(keyspace)/_bulk_get?attachments=true", ["docs": [["id": "secret"]]]),
                (
                    "POST", "\(keyspace)/_bulk_get?attachments=true",
                    ["docs": [["id": "secret", "rev": .string(revision)], ["id": "mine"]]]
                ),
                ("GET", "\(keyspace)/_all_docs?include_docs=true", nil),
                ("POST", "\(keyspace)/_all_docs?include_docs=true", ["keys": ["secret"]]),
                ("GET", "\(keyspace)/_changes?include_docs=true", nil),
                ("GET", "\(keyspace)/_changes?include_docs=true&filter=sync_gateway/bychannel&channels=south", nil),
                ("GET", "\(keyspace)/_changes?include_docs=true&filter=sync_gateway/bychannel&channels=*", nil),
                ("GET", "\(keyspace)/_changes?include_docs=true&filter=_doc_ids&doc_ids=%5B%22secret%22%5D", nil),
                ("GET", "\(keyspace)/_changes?include_docs=true&since=0&revocations=true&style=all_docs", nil),
                ("GET", "/db.field.sites/secret", nil), ("GET", "\(keyspace)/_raw/secret", nil),
                ("GET", "\(keyspace)/_revtree/secret", nil), ("GET", "\(keyspace)/_local/secret", nil),
            ]
            for (method, path, body) in requests {
                let answer = try await team.user("alice", method, path, body)
                #expect(!answer.text.contains("TOPSECRET"), "\(method) \(path)")
                #expect(!answer.text.contains(Base64.encode(Array("TOPSECRET-BYTES".utf8))), "\(method) \(path)")
                #expect(answer.status < 500, "\(method) \(path): \(answer.status) \(answer.text)")
            }
            // The same requests do find it for whom it is.
            let found = try await team.user("bob", "GET", "\(keyspace)/secret/plan.txt")
            #expect(found.text == "TOPSECRET-BYTES")
        }
    }

    /// Who may write a document without seeing it does not get to see its attachments by writing a revision of his own.
    @Test(.timeLimit(.minutes(2))) func anAttachmentIsNotTakenOverFromWhatOneMayNotSee() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let revision = try await team.storeSecret()
            let digest = BlobDigest(of: Array("TOPSECRET-BYTES".utf8)).text
            let stubs: [JSONValue] = [
                ["plan.txt": ["stub": true]], ["plan.txt": ["stub": true, "digest": .string(digest)]],
                ["other": ["stub": true, "digest": .string(digest), "revpos": 1]],
            ]
            for stub in stubs {
                let body: JSONValue = ["_rev": .string(revision), "channels": ["north"], "_attachments": stub]
                let answer = try await team.user("alice", "PUT", "\(TestTeam.collection)/secret", body)
                #expect([400, 403].contains(answer.status), "\(stub): \(answer.status) \(answer.text)")
            }
            // For whom it is, and for an administrator, stubs are what they always were.
            let body: JSONValue = ["_rev": .string(revision), "channels": ["south"], "_attachments": stubs[1]]
            try team.expect(201, try await team.user("bob", "PUT", "\(TestTeam.collection)/secret", body))
            #expect(
                try await team.user("bob", "GET", "\(TestTeam.collection)/secret/plan.txt").text == "TOPSECRET-BYTES")
        }
    }

    @Test(.timeLimit(.minutes(2))) func cookiesAreNotForgedNorCarriedOver() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(201, try await team.admin("PUT", "/other/", [:]))
            try team.expect(201, try await team.admin("PUT", "/other/_user/alice", ["password": "different"]))
            let session = try await team.admin("POST", "/db/_session", ["name": "bob"])
            let id = try #require(session.json?["session_id"]?.stringValue)
            let forged = [
                id.uppercased(), String(id.reversed()), String(id.dropLast()), id + "0", "", "' OR 1=1 --", "..",
                "null",
                String(repeating: "0", count: 40), String(repeating: "a", count: 60_000),
            ]
            for value in forged {
                let answer = try await RawClient.request(
                    "GET", "\(TestTeam.collection)/_changes", port: gateway.publicPort,
                    headers: [("Cookie", "SyncGatewaySession=\(value)")])
                #expect(answer.status == 401, "\(value.prefix(50)): \(answer.status)")
            }
            func ask(_ path: String) async throws -> Int {
                try await RawClient.request(
                    "GET", path, port: gateway.publicPort, headers: [("Cookie", "SyncGatewaySession=\(id)")]
                ).status
            }
            #expect(try await ask("\(TestTeam.collection)/_changes") == 200)
            #expect(try await ask("/other/_changes") == 401)
            try team.expect(200, try await team.admin("DELETE", "/db/_user/bob"))
            #expect(try await ask("\(TestTeam.collection)/_changes") == 401)
        }
    }

    @Test(.timeLimit(.minutes(2))) func namesThatLeadElsewhereLeadNowhere() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let outside = gateway.folder.deletingLastPathComponent().appendingPathComponent("evil")
            for name in ["..%2Fevil", "%2e%2e%2fevil", "..", ".", "%00", "a%2Fb", "A", "_x", "db%00x", "evil%0a"] {
                let answer = try await team.admin("PUT", "/\(name)/", [:])
                #expect((400..<500).contains(answer.status), "\(name): \(answer.status)")
            }
            #expect(!FileManager.default.fileExists(atPath: outside.path))
            for id in ["..%2F..%2Fevil", "%2e%2e", "a%00b", "%2Fetc%2Fpasswd"] {
                let body: JSONValue = [
                    "_attachments": ["../../evil": ["data": "aGk="]]
                ]
                let answer = try await team.admin("PUT", "\(TestTeam.collection)/\(id)", body)
                #expect(answer.status == 201 || answer.status == 404, "\(id): \(answer.status) \(answer.text)")
            }
            let attachment = try await team.admin("GET", "\(TestTeam.collection)/..%2F..%2Fevil/..%2F..%2Fevil")
            #expect(attachment.text == "hi")
            #expect(!FileManager.default.fileExists(atPath: outside.path))
        }
    }

    @Test(.timeLimit(.minutes(2))) func pagesInAttachmentsAreNotShownAsPages() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let types = ["text/html", "image/svg+xml", "application/xhtml+xml; charset=utf-8", "text/javascript", ""]
            for (index, type) in types.enumerated() {
                let path = "\(TestTeam.collection)/page\(index)"
                let body: JSONValue = [
                    "channels": ["north"], "_attachments": ["x": ["content_type": .string(type), "data": "aGk="]],
                ]
                try team.expect(201, try await team.admin("PUT", path, body))
                let answer = try await team.user("alice", "GET", path + "/x")
                #expect(answer.header("X-Content-Type-Options") == "nosniff")
                #expect(answer.header("Content-Disposition") == "attachment")
            }
        }
    }
}
