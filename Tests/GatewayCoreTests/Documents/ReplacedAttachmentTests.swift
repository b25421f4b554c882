import DocumentValues
import Testing

@testable import GatewayCore

/// Content that no current revision refers to: kept for a while, then deleted, and never given to another user.
@Suite(.timeLimit(.minutes(1))) struct ReplacedAttachmentTests {
    private static func inline(_ text: String) -> JSONValue {
        ["_attachments": ["f": ["data": .string(Base64.encode(Array(text.utf8)))]]]
    }

    private static func stub(_ text: String) -> JSONValue {
        ["_attachments": ["f": ["stub": true, "digest": .string(digest(text).text), "revpos": 1]]]
    }

    private static func digest(_ text: String) -> BlobDigest { BlobDigest(of: Array(text.utf8)) }

    private func has(_ test: TestDatabase, _ text: String) async throws -> Bool {
        do {
            return try await test.database.documents.attachment(Self.digest(text), of: "a", in: TestDatabase.collection)
                .bytes() == Array(text.utf8)
        } catch let error as GatewayError where error.status == 404 {
            return false
        }
    }

    @Test(arguments: [JSONValue.null, 20, 1_000_000_000]) func itStaysUntilItsTimeIsOver(given: JSONValue) async throws
    {
        let seconds: Int64 = given == .null ? 300 : min(given.integerValue ?? 0, 86_400)
        try await TestDatabase.run(["old_rev_expiry_seconds": given]) { test in
            try await test.put("a", Self.inline("old"))
            try await test.put("a", Self.inline("new"))
            test.pass(seconds: seconds - 1)
            await test.maintain()
            #expect(try await has(test, "old"))
            try await test.reopen()
            test.pass(seconds: 1)
            await test.maintain()
            #expect(try await !has(test, "old"))
            #expect(try await has(test, "new"))
            #expect(try await test.count(.attachments) == 1)
            #expect(try await test.count(.replacedAttachments) == 0)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aTombstoneLeavesItAWhileAndAPurgeDoesNot(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.put("a", Self.inline("old"))
            try await test.delete("a")
            #expect(try await has(test, "old"))
            _ = try await test.database.documents.purge(["a"], in: TestDatabase.collection)
            #expect(try await test.count(.attachments) == 0)
            #expect(try await test.count(.replacedAttachments) == 0)
        }
    }

    @Test(arguments: StoreEngine.allCases) func broughtAgainItStays(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.put("a", Self.inline("old"))
            try await test.put("a", [:])
            try await test.put("a", Self.inline("old"))
            test.pass(seconds: 1_000)
            await test.maintain()
            #expect(try await has(test, "old"))
        }
    }

    /// Otherwise a user who knows the digest of an attachment without the right to see it could get it by a revision of
    /// their own.
    @Test(arguments: StoreEngine.allCases) func namedAgainWithoutItsBytesItIsGone(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.put("a", Self.inline("old"))
            try await test.put("a", [:])
            let stored = try await test.database.documents.storedAttachments(
                [Self.digest("old")], of: "a", in: TestDatabase.collection)
            #expect(stored.isEmpty, "it need not be proved, but brought")
            try await test.put("a", Self.stub("old"))
            #expect(try await !has(test, "old"))
            #expect(try await test.count(.replacedAttachments) == 0)
        }
    }

    @Test(arguments: StoreEngine.allCases) func ofOneDocumentNoMoreIsKeptThanTheLimit(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            var digests: [BlobDigest] = []
            for number in 0..<5 {
                let bytes = [UInt8](repeating: UInt8(number), count: GatewayLimits.attachmentSize)
                let digest = BlobDigest(of: bytes)
                let follows: JSONValue = ["follows": true, "digest": .string(digest.text)]
                let replaced = number == 0 ? nil : try await test.details("a").revision.revision
                _ = try await test.write(
                    DocumentWrite(
                        id: "a", body: JSONValue.object(["_attachments": ["f": follows]]).bytes,
                        edit: .new(replacing: replaced), attachments: [digest: .bytes(bytes)]))
                digests.append(digest)
            }
            var lengths: [Int] = []
            for digest in digests {
                let reader = try? await test.database.documents.attachment(digest, of: "a", in: TestDatabase.collection)
                lengths.append(reader?.length ?? 0)
            }
            #expect(lengths.map { $0 > 0 } == [false, true, true, true, true])
        }
    }
}
