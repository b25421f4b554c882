import DocumentValues
import Testing

@testable import GatewayCore

@Suite(.timeLimit(.minutes(1))) struct AttachmentRowTests {
    typealias Rows = (
        read: any AttachmentRows, write: any AttachmentWrites, replaced: any ReplacedAttachmentWrites
    )

    static let engines = RowEngine<Rows>.all { ($0.reader.attachments, $0.attachments, $0.replacedAttachments) }

    @Test(arguments: engines) func oneIsReadInAnyPart(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let bytes = (0..<(GatewayLimits.attachmentPiece * 2 + 10)).map { UInt8(truncatingIfNeeded: $0 * 7 / 3) }
            try await rows.write.insert(.bytes(bytes), digest: "d1", of: 5)
            #expect(try await rows.read.length(of: "d1", document: 5) == bytes.count)
            #expect(try await rows.read.contains("d1", of: 6) == false)
            let piece = GatewayLimits.attachmentPiece
            for (offset, count) in [(0, 10), (piece - 3, 6), (piece, piece), (piece * 2 + 5, 100), (0, bytes.count)] {
                let read = try await rows.read.read("d1", of: 5, from: offset, count: count)
                #expect(read == Array(bytes[offset..<min(bytes.count, offset + count)]))
            }
            try await rows.write.insert(.bytes([1]), digest: "d1", of: 5)
            #expect(try await rows.read.length(of: "d1", document: 5) == bytes.count, "the first one stays")
            try await rows.write.delete("d1", of: 5)
            #expect(try await rows.read.length(of: "d1", document: 5) == nil)
            #expect(try await rows.read.read("d1", of: 5, from: 0, count: 10) == [])
        }
    }

    @Test(arguments: engines) func anEmptyOneIsThere(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            try await rows.write.insert(.bytes([]), digest: "d0", of: 5)
            #expect(try await rows.read.length(of: "d0", document: 5) == 0)
            #expect(try await rows.read.contains("d0", of: 5))
        }
    }

    private static func left(of digests: [Name], in rows: Rows) async throws -> [Name] {
        var left: [Name] = []
        for digest in digests where try await rows.read.contains(digest, of: 5) { left.append(digest) }
        return left
    }

    @Test(arguments: engines) func replacedOnesAreKeptForATime(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let digests: [Name] = ["a", "b", "c"]
            for digest in digests { try await rows.write.insert(.bytes([1, 2]), digest: digest, of: 5) }
            try await rows.replaced.insert(["a", "b"], of: 5, now: 100, seconds: 10)
            try await rows.replaced.insert(["c"], of: 5, now: 100, seconds: 0)
            try await rows.replaced.keep("b", of: 5)
            #expect(try await Self.left(of: digests, in: rows) == ["a", "b"])
            #expect(try await rows.read.isReplaced("a", of: 5))
            #expect(try await rows.replaced.forget(now: 109) == 0)
            #expect(try await rows.replaced.forget(now: 110) == 1)
            #expect(try await Self.left(of: digests, in: rows) == ["b"])
            #expect(try await !rows.read.isReplaced("a", of: 5))
            try await rows.replaced.insert(["b"], of: 5, now: 200, seconds: 10)
            try await rows.replaced.deleteNow(["b"], of: 5)
            #expect(try await Self.left(of: digests, in: rows) == [])
        }
    }

    /// One that is replaced again is the newest then.
    @Test(arguments: engines) func onlyTheNewestReplacedOnesAreKept(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let digests = (0...GatewayLimits.replacedAttachments).map { Name("d\($0)") }
            for digest in digests { try await rows.write.insert(.bytes([1]), digest: digest, of: 5) }
            for batch in [digests.dropLast(), digests.prefix(1)] {
                try await rows.replaced.insert(Set(batch), of: 5, now: 100, seconds: 10)
            }
            #expect(try await Self.left(of: digests, in: rows) == digests)
            try await rows.replaced.insert(Set(digests.suffix(1)), of: 5, now: 100, seconds: 10)
            #expect(try await Self.left(of: digests, in: rows) == digests.filter { $0 != digests[1] })
        }
    }

    @Test(arguments: engines) func thoseOfADocumentAreDeletedTogether(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            for document in [5, 6] as [Int64] {
                try await rows.write.insert(.bytes([1]), digest: "a", of: document)
                try await rows.replaced.insert(["a"], of: document, now: 100, seconds: 10)
            }
            try await rows.write.deleteAll(of: 5)
            #expect(try await !rows.read.contains("a", of: 5))
            #expect(try await !rows.read.isReplaced("a", of: 5))
            #expect(try await rows.read.contains("a", of: 6))
            #expect(try await rows.read.isReplaced("a", of: 6))
        }
    }
}
