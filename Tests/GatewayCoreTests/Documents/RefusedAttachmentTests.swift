import BLIPProtocol
import DocumentValues
import SyncProtocol
import Testing

@testable import GatewayCore

/// A refused document is sent again with each sync, but its attachments need not come again.
@Suite(.timeLimit(.minutes(1))) struct RefusedAttachmentTests {
    private func revision(_ body: String) -> IncomingRevision {
        var revision = IncomingRevision.test("a", "1-aa", body)
        let digest = BlobDigest(of: Array("photo".utf8)).text
        revision.attachments = ["f": ["digest": .string(digest), "length": 5, "revpos": 1, "stub": true]]
        return revision
    }

    private enum End { case stored, needs, refused }

    private func end(
        of revision: IncomingRevision, refusedWith status: Int = 403, _ test: TestDatabase
    ) async throws -> End {
        let backend = DatabaseSyncBackend(database: test.database, requester: .admin, version: .version3)
        let outcomes = try await backend.store([revision], collection: 0)
        switch try #require(outcomes.first) {
        case .stored: return .stored
        case .needs: return .needs
        case .refused(let reply):
            #expect(reply.code == status)
            return .refused
        }
    }

    /// The list also has the revisions that the session itself refuses.
    @Test func whatNeverCameToTheStoreIsListed() async throws {
        try await TestDatabase.run { test in
            let backend = DatabaseSyncBackend(database: test.database, requester: .admin, version: .version3)
            for (document, status) in [("a", 500), ("b", 503), ("c", 422), ("d", 404), ("e", 409)] {
                backend.noteRefusal(
                    RefusedRevision(
                        collection: 0, documentID: document, revision: "1-aa", error: .http(status, message: "no photo")
                    ))
            }
            let listed = test.database.documents.refusals.entries
            #expect(listed.map(\.document) == ["a", "d"] && listed.map(\.reason) == ["no photo", "no photo"])
            #expect(backend.tally.refused == 2)
        }
    }

    @Test func whatWasRefusedIsAskedForNoMore() async throws {
        try await TestDatabase.run { test in
            let refused = revision(#"{"forbidden":"closed"}"#)
            // Nobody knows yet.
            let first = try await end(of: refused, test)
            #expect(first == .needs)
            await #expect(throws: GatewayError.self) { try await test.put("a", ["forbidden": "closed"]) }
            for _ in 0..<2 { #expect(try await end(of: refused, test) == .refused) }
            // The attachments of a corrected revision are requested.
            #expect(try await end(of: revision("{}"), test) == .needs)
            // The other document was never refused.
            var other = refused
            other.documentID = "b"
            #expect(try await end(of: other, test) == .needs)
        }
    }

    /// The parts of a revision are checked before its attachments are requested.
    @Test func aRevisionThatNoGatewayStoresGetsNoAttachments() async throws {
        try await TestDatabase.run { test in
            var expiring = revision("{}")
            expiring.expiry = "tomorrow"
            let first = try await end(of: expiring, refusedWith: 400, test)
            #expect(first == .refused)
            var unnamed = revision("{}")
            unnamed.documentID = ""
            let second = try await end(of: unnamed, refusedWith: GatewayError.invalidDocumentID.status, test)
            #expect(second == .refused)
            #expect(test.database.documents.refusals.entries.count == 2)
        }
    }
}
