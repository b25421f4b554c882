import DocumentValues
import Testing

@testable import GatewayCore

/// The attachments of documents with several leaves.
@Suite(.timeLimit(.minutes(1))) struct BranchAttachmentTests {
    private static func inline(_ text: String) -> JSONValue {
        ["data": .string(Base64.encode(Array(text.utf8))), "content_type": "text/plain"]
    }

    private static let stub: JSONValue = ["stub": true]

    private func contents(_ test: TestDatabase) async throws -> Int { try await test.count(.attachments) }

    private func attachments(_ revision: String, _ test: TestDatabase) async throws -> [String] {
        let document = try await test.database.documents.read(
            "d", revision: RevisionID(revision), in: TestDatabase.collection, as: .admin)
        return document.attachments?.object.keys.sorted() ?? []
    }

    @Test(arguments: StoreEngine.allCases) func everyLeafKeepsItsOwn(on engine: StoreEngine) async throws {
        try await TestDatabase.run(["allow_conflicts": true, "old_rev_expiry_seconds": 0], on: engine) { test in
            try await test.push("d", "1-a", [], ["_attachments": ["x": Self.inline("one")]])
            try await test.push("d", "2-b", ["1-a"], ["_attachments": ["x": Self.stub, "y": Self.inline("two")]])
            try await test.push("d", "2-c", ["1-a"], ["_attachments": ["z": Self.inline("three")]])
            try await test.push("d", "2-aa", ["1-a"], ["_attachments": ["n": Self.inline("two")]])
            #expect(try await contents(test) == 3, "the same content is there once")
            #expect(try await attachments("2-b", test) == ["x", "y"])
            // The attachments that the leaf had when it branched off: its parent was replaced long ago.
            try await test.push("d", "2-ab", ["1-a"], ["_attachments": ["x": Self.stub]])
            #expect(try await attachments("2-ab", test) == ["x"])
            await #expect(throws: GatewayError(400, reason: "Missing digest in stub attachment \"z\"")) {
                try await test.push("d", "3-b", ["2-b"], ["_attachments": ["z": Self.stub]])
            }
            try await test.push("d", "3-b", ["2-b"], ["_attachments": ["y": Self.stub]])
            try await test.push("d", "3-ab", ["2-ab"], isDeleted: true)
            #expect(try await contents(test) == 2, "nothing refers to the first any more")
            try await test.push("d", "4-b", ["3-b"], isDeleted: true)
            #expect(try await test.details("d").revision.attachments?.object.keys.sorted() == ["z"])
            try await test.push("d", "3-c", ["2-c"], isDeleted: true)
            #expect(try await contents(test) == 1)
            #expect(try await test.details("d").revision.attachments?.object.keys.sorted() == ["n"])
            #expect(try await test.database.documents.purge(["d"], in: TestDatabase.collection) == ["d"])
            #expect(try await contents(test) == 0)
        }
    }

    /// A reference to a digest must not give access to another leaf's attachment.
    @Test(arguments: StoreEngine.allCases) func whatALeafHidesCannotBeTakenOver(on engine: StoreEngine) async throws {
        try await TestDatabase.run(["allow_conflicts": true], on: engine) { test in
            try await test.putUser("ann", channels: ["north"])
            let ann = Requester.user("ann")
            try await test.push("d", "1-a", [], ["channels": ["north"]])
            try await test.push(
                "d", "2-b", ["1-a"], ["channels": ["south"], "_attachments": ["secret": Self.inline("hidden")]])
            try await test.push("d", "2-c", ["1-a"], ["channels": ["north"]])
            let named: JSONValue = [
                "stub": true, "digest": .string(BlobDigest(of: Array("hidden".utf8)).text), "revpos": 2,
            ]
            for (revision, ancestors) in [("3-c", ["2-c"]), ("3-b", ["2-b"]), ("2-z", ["1-a"]), ("1-z", [])] {
                let error = await #expect(throws: GatewayError.self) {
                    try await test.push(
                        "d", revision, ancestors, ["channels": ["north"], "_attachments": ["secret": named]], as: ann)
                }
                #expect(error?.status == 403, "\(revision)")
            }
            let error = await #expect(throws: GatewayError.self) {
                try await test.push("d", "3-b", ["2-b"], ["_attachments": ["secret": Self.stub]], as: ann)
            }
            #expect(error?.status == 400)
        }
    }
}
