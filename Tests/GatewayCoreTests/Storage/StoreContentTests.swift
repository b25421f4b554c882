import DocumentValues
import Testing

@testable import GatewayCore

/// Attachments and local documents.
@Suite(.timeLimit(.minutes(1))) struct StoreContentTests {
    @Test(arguments: StoreEngine.allCases) func anAttachmentIsReadInAnyPart(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let bytes = (0..<(GatewayLimits.attachmentPiece * 2 + 10)).map { UInt8(truncatingIfNeeded: $0 * 7 / 3) }
            try await store.write { try await $0.attachments.insert(.bytes(bytes), digest: "d1", of: 5) }
            #expect(try await store.read { try await $0.attachments.length(of: "d1", document: 5) } == bytes.count)
            #expect(try await store.read { try await $0.attachments.contains("d1", of: 6) } == false)
            let piece = GatewayLimits.attachmentPiece
            for (offset, count) in [(0, 10), (piece - 3, 6), (piece, piece), (piece * 2 + 5, 100), (0, bytes.count)] {
                let read = try await store.read {
                    try await $0.attachments.read("d1", of: 5, from: offset, count: count)
                }
                #expect(read == Array(bytes[offset..<min(bytes.count, offset + count)]))
            }
            try await store.write { try await $0.attachments.delete("d1", of: 5) }
            #expect(try await store.read { try await $0.attachments.length(of: "d1", document: 5) } == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases) func anEmptyAttachmentIsThere(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.write { try await $0.attachments.insert(.bytes([]), digest: "d0", of: 5) }
            #expect(try await store.read { try await $0.attachments.length(of: "d0", document: 5) } == 0)
        }
    }

    @Test(arguments: StoreEngine.allCases) func replacedAttachmentsAreKeptForATime(on engine: StoreEngine) async throws
    {
        try await engine.run { store in
            try await store.write { transaction in
                for digest in ["a", "b", "c"] as [Name] {
                    try await transaction.attachments.insert(.bytes([1, 2]), digest: digest, of: 5)
                }
                try await transaction.replacedAttachments.insert(["a", "b"], of: 5, now: 100, seconds: 10)
                try await transaction.replacedAttachments.insert(["c"], of: 5, now: 100, seconds: 0)
                try await transaction.replacedAttachments.keep("b", of: 5)
            }
            func left() async throws -> [Name] {
                try await store.read { store in
                    var left: [Name] = []
                    for digest in ["a", "b", "c"] as [Name]
                    where try await store.attachments.contains(digest, of: 5) {
                        left.append(digest)
                    }
                    return left
                }
            }
            #expect(try await left() == ["a", "b"])
            #expect(try await store.read { try await $0.attachments.isReplaced("a", of: 5) })
            #expect(try await store.write { try await $0.replacedAttachments.forget(now: 109) } == 0)
            #expect(try await store.write { try await $0.replacedAttachments.forget(now: 110) } == 1)
            #expect(try await left() == ["b"])
            try await store.write { transaction in
                try await transaction.replacedAttachments.insert(["b"], of: 5, now: 200, seconds: 10)
                try await transaction.replacedAttachments.deleteNow(["b"], of: 5)
            }
            #expect(try await left() == [])
        }
    }

    @Test(arguments: StoreEngine.allCases) func localDocumentsAreOnAnOwnersAccount(on engine: StoreEngine) async throws
    {
        try await engine.run { store in
            try await store.write { transaction in
                try await transaction.localDocuments.put(
                    Self.document("a", number: 1, body: "{}"), in: 1, owner: "ann", now: 10)
                try await transaction.localDocuments.put(
                    Self.document("b", number: 1, body: "{}"), in: 1, owner: "bob", now: 20)
                try await transaction.localDocuments.put(
                    Self.document("a", number: 2, body: #"{"x":1}"#), in: 1, owner: "ann", now: 30)
            }
            #expect(try await store.read { try await $0.localDocuments.find("a", in: 1) }?.revision == "0-2")
            if let inPlace = store.inPlace {
                let found = try inPlace.localDocument("a", in: 1, upTo: 7)
                #expect(found.value??.revision == "0-2")
                #expect(try inPlace.localDocument("a", in: 1, upTo: 6).value == nil, "too large to be read there")
            }
            #expect(try await store.read { try await $0.localDocuments.find("a", in: 2) } == nil)
            let bytes = try await store.read { try await $0.localDocuments.bytes(of: "ann") }
            #expect(bytes > 7)
            // Another user writes it from now on.
            try await store.write {
                try await $0.localDocuments.put(Self.document("a", number: 3, body: "{}"), in: 1, owner: "bob", now: 40)
            }
            #expect(try await store.read { try await $0.localDocuments.bytes(of: "ann") } == 0)
            try await store.write { try await $0.localDocuments.deleteUntouched(since: 30) }
            #expect(try await store.read { try await $0.localDocuments.find("b", in: 1) } == nil)
            #expect(try await store.read { try await $0.localDocuments.find("a", in: 1) } != nil)
            try await store.write { try await $0.localDocuments.delete("a", in: 1) }
            #expect(try await store.read { try await $0.localDocuments.bytes(of: "bob") } == 0)
        }
    }

    private static func document(_ id: String, number: Int64, body: String) -> LocalDocument {
        LocalDocument(id: id, number: number, body: Array(body.utf8))
    }
}
