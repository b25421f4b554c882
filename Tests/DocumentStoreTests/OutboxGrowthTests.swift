import DocumentValues
import Testing
import WorkCount

@testable import DocumentStore

/// Noting refusals costs no more than in proportion to their number, at first and again with each sync.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxGrowthTests {
    private static func fixture(_ count: Int) throws -> (ReplicationFixture, [String]) {
        let fixture = try ReplicationFixture()
        let ids = (0..<count).map { "document\($0)" }
        try fixture.database.inBatch { for id in ids { _ = try fixture.collection.put(id, ["n": 1]) } }
        return (fixture, ids)
    }

    private static func refuse(_ ids: [String], in fixture: ReplicationFixture) throws {
        for id in ids {
            let revision = try #require(try fixture.revision(id)).revision
            try fixture.store.recordRejection(of: id, revision: revision, code: 403, reason: "no", in: .default)
        }
    }

    @Test(arguments: [false, true]) func refusalsGrowWithTheirNumber(again: Bool) async throws {
        Growth.countSQLite()
        let growth = try await Growth.of(50) { size in
            let (fixture, ids) = try Self.fixture(size)
            if again { try Self.refuse(ids, in: fixture) }
            return (fixture, ids)
        } work: { fixture, ids in
            try Self.refuse(ids, in: fixture)
            #expect(try fixture.database.rejectedPushes().count == ids.count)
        }
        #expect(!growth.isSquare, "\(growth)")
    }
}
