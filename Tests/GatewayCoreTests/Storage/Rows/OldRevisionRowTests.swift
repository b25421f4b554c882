import DocumentValues
import Testing

@testable import GatewayCore

/// Revisions that were replaced are kept for a time and up to a number.
@Suite(.timeLimit(.minutes(1))) struct OldRevisionRowTests {
    typealias Rows = (read: any OldRevisionRows, write: any OldRevisionWrites)

    static let engines = RowEngine<Rows>.all { ($0.reader.oldRevisions, $0.oldRevisions) }

    private static func replaced(
        _ generation: UInt32, bytes: Int = GatewayLimits.smallestOldRevision, isDeleted: Bool = false,
        expires: Int64 = 100
    ) -> ReplacedRevision {
        let revision = StoredRevision(
            revision: .test(generation), isDeleted: isDeleted, channels: ["x"], sequence: UInt64(generation),
            expires: nil, attachments: nil, body: [UInt8](repeating: 0x20, count: bytes))
        return ReplacedRevision(revision: revision, document: 5, expires: expires)
    }

    @Test(arguments: engines) func theNewestFewAreFound(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let limit = UInt32(GatewayLimits.oldRevisionsPerDocument)
            try await rows.write.insert((1...(limit + 1)).map { Self.replaced($0) })
            try await rows.write.insert([Self.replaced(50, bytes: GatewayLimits.smallestOldRevision - 1)])
            try await rows.write.insert([Self.replaced(51, isDeleted: true)])
            func find(_ generation: UInt32, now: Int64 = 99) async throws -> RememberedRevision? {
                try await rows.read.find(.test(generation), of: 5, now: now)
            }
            #expect(try await find(1) == nil, "older than the newest few")
            let found = try await find(2)
            #expect(found?.until == 100 && found?.revision.channels == ["x"] && found?.revision.sequence == 2)
            #expect(try await find(2, now: 100) == nil, "over its time")
            #expect(try await find(50) == nil, "too short to gain anything")
            #expect(try await find(51) == nil, "a tombstone")
            try await rows.write.insert([Self.replaced(2, expires: 200)])
            #expect(try await find(2)?.until == 100, "one that is there stays as it is")
            #expect(try await !rows.write.forget(now: 100, limit: 1 << 30))
            #expect(try await find(limit + 1, now: 0) == nil)
        }
    }

    /// The log takes as many bytes as are forgotten, and on a full disk it has only the reserve.
    @Test(arguments: engines) func someAreForgottenAtOnce(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            let half = GatewayLimits.forgottenBytesAtOnce / 2
            try await rows.write.insert((1...3).map { Self.replaced($0, bytes: half) })
            var rounds = 1
            while try await rows.write.forget(now: 100, limit: 1 << 30) { rounds += 1 }
            #expect(rounds == 3, "each is a little more than half")
            #expect(try await rows.read.find(.test(3), of: 5, now: 0) == nil)
        }
    }

    @Test(arguments: engines) func whatEndsFirstMakesRoom(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            try await rows.write.insert([Self.replaced(1, bytes: 1_000, expires: 300)])
            try await rows.write.insert([Self.replaced(2, bytes: 1_000, expires: 200)])
            #expect(try await !rows.write.forget(now: 100, limit: 1_500))
            #expect(try await rows.read.find(.test(1), of: 5, now: 100) != nil)
            #expect(try await rows.read.find(.test(2), of: 5, now: 100) == nil)
            try await rows.write.deleteAll(document: 6)
            #expect(try await rows.read.find(.test(1), of: 5, now: 100) != nil)
            try await rows.write.deleteAll(document: 5)
            #expect(try await rows.read.find(.test(1), of: 5, now: 100) == nil)
        }
    }
}
