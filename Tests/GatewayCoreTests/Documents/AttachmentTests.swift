import DocumentValues
import Testing

@testable import GatewayCore

/// The content of attachments, which is deleted when no document refers to it.
@Suite(.timeLimit(.minutes(1))) struct AttachmentTests {
    private static func inline(_ text: String) -> JSONValue {
        ["data": .string(Base64.encode(Array(text.utf8))), "content_type": "text/plain"]
    }

    private static func stub(_ text: String) -> JSONValue {
        ["stub": true, "digest": .string(BlobDigest(of: Array(text.utf8)).text), "revpos": 1]
    }

    private func content(_ test: TestDatabase, _ text: String, of id: String = "a") async throws -> String? {
        do {
            let reader = try await test.database.documents.attachment(
                BlobDigest(of: Array(text.utf8)), of: id, in: TestDatabase.collection)
            return String(decoding: try await reader.bytes(), as: UTF8.self)
        } catch let error as GatewayError where error.status == 404 {
            return nil
        }
    }

    @Test(arguments: StoreEngine.allCases) func contentFollowsTheRevisions(on engine: StoreEngine) async throws {
        try await TestDatabase.run(["old_rev_expiry_seconds": 0], on: engine) { test in
            try await test.put("a", ["_attachments": ["one": Self.inline("first"), "two": Self.inline("second")]])
            #expect(try await content(test, "first") == "first")
            try await test.put("a", ["_attachments": ["one": Self.stub("first"), "three": Self.inline("third")]])
            #expect(try await content(test, "first") == "first")
            #expect(try await content(test, "second") == nil, "nothing refers to it any more")
            let metadata = try await test.details("a").revision.attachments?.object
            #expect(metadata?["one"]?["revpos"]?.integerValue == 1)
            #expect(metadata?["three"]?["revpos"]?.integerValue == 2)
            #expect(metadata?["three"]?["length"]?.integerValue == 5)
            try await test.delete("a")
            #expect(try await test.count(.attachments) == 0)
        }
    }

    /// Laptops get the names with the body, and accept no more than the bytes of a document.
    @Test(arguments: StoreEngine.allCases) func namesCountAsTheDocument(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            let half = String(repeating: "n", count: GatewayLimits.documentSize / 2)
            let error = await #expect(throws: GatewayError.self) {
                try await test.put(
                    "a", ["text": .string(half), "_attachments": .object([half: Self.inline("x")])])
            }
            #expect(error?.status == 413 && error?.reason.contains("names of its attachments") == true)
            try await test.put("a", ["text": .string(half), "_attachments": ["f": Self.inline("x")]])
        }
    }

    @Test(arguments: StoreEngine.allCases) func contentBelongsToItsDocument(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.put("a", ["_attachments": ["f": Self.inline("same")]])
            try await test.put("b", ["_attachments": ["f": Self.inline("same")]])
            // A reference to a digest does not give access to another document's attachment.
            try await test.put("thief", ["_attachments": ["f": Self.stub("same")]])
            #expect(try await content(test, "same", of: "thief") == nil)
            try await test.delete("a")
            #expect(try await content(test, "same", of: "b") == "same")
        }
    }

    @Test(arguments: StoreEngine.allCases) func onceForTwoNamesOfOneContent(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.put("a", ["_attachments": ["f": Self.inline("same"), "g": Self.inline("same")]])
            #expect(try await test.count(.attachments) == 1)
            try await test.put("a", ["_attachments": ["g": Self.stub("same")]])
            #expect(try await content(test, "same") == "same")
        }
    }

    @Test(arguments: [0, 1, GatewayLimits.attachmentPiece, GatewayLimits.attachmentPiece * 2 + 7])
    func anySizeIsReadInAnyPieces(size: Int) async throws {
        try await TestDatabase.run { test in
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
            let digest = BlobDigest(of: bytes)
            let follows: JSONValue = ["follows": true, "digest": .string(digest.text), "length": .int(size)]
            let body: JSONValue = ["_attachments": ["f": follows]]
            _ = try await test.write(DocumentWrite(id: "a", body: body.bytes, attachments: [digest: .bytes(bytes)]))
            let reader = try await test.database.documents.attachment(digest, of: "a", in: TestDatabase.collection)
            #expect(reader.length == size)
            #expect(try await reader.bytes() == bytes)
            guard size > 10 else { return }
            for (offset, count) in [(3, 5), (GatewayLimits.attachmentPiece - 2, 4), (size - 3, 100), (size, 1)] {
                let part = try await reader.read(from: offset, count: count)
                #expect(part == Array(bytes[offset..<min(size, offset + count)]), "\(offset) \(count)")
            }
        }
    }

    @Test(arguments: StoreEngine.allCases) func aRefusedWriteLeavesNoContent(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.put("other", [:])
            await #expect(throws: GatewayError.self) {
                try await test.put("a", ["forbidden": "no", "_attachments": ["f": Self.inline("x")]])
            }
            #expect(try await test.count(.attachments) == 0)
        }
    }
}
