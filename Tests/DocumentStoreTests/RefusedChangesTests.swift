import DocumentStore
import DocumentValues
import Testing
import WorkCount

/// The refused documents that a session proposes once more.
@Suite(.serialized, .timeLimit(.minutes(1))) struct RefusedChangesTests {
    private static let isOfAccess: @Sendable (Int) -> Bool = { $0 == 403 }

    private func refuse(_ document: Document, with code: Int = 403, in fixture: ReplicationFixture) throws {
        let revision = try #require(document.revisionID.flatMap { RevisionID($0) })
        try fixture.store.recordRejection(
            of: document.id, revision: revision, code: code, reason: "no", in: .default)
    }

    @Test func theyAreAsTheyWereRefused() throws {
        let fixture = try ReplicationFixture()
        _ = try fixture.pull("b", "1-bb", #"{"n":1}"#)
        for id in ["c", "b", "a", "large", "edited"] {
            let code = id == "large" ? 413 : 403
            try refuse(try fixture.collection.put(id, ["text": id]), with: code, in: fixture)
        }
        try fixture.collection.put("edited", ["n": 2])
        let refused = try fixture.store.refusedChanges(in: .default, where: Self.isOfAccess)
        let revisions = try fixture.store.revisions(of: ["a", "b", "c"], in: .default)
        #expect(refused == revisions.compactMap { $0.map { LocalChange($0) } })
        #expect(refused.map(\.remoteRevision) == [nil, RevisionID("1-bb"), nil])
        #expect(refused.allSatisfy { $0.bodySize > 0 })
        let other = try ReplicationStore(database: fixture.database, remote: "wss://other/db")
        #expect(try other.refusedChanges(in: .default, where: Self.isOfAccess).isEmpty)
    }

    @Test func aDeletionIsOneOfThem() throws {
        let fixture = try ReplicationFixture()
        let document = try fixture.collection.put("a", [:])
        try fixture.collection.delete(document: document)
        let deleted = try #require(try fixture.store.revision(of: "a", in: .default))
        try fixture.store.recordRejection(
            of: "a", revision: deleted.revision, code: 403, reason: "no", in: .default)
        #expect(try fixture.store.refusedChanges(in: .default, where: Self.isOfAccess).map(\.isDeleted) == [true])
    }

    private static let bodyBytes = 50_000

    /// An outbox may have a thousand large documents.
    @Test(.enabled(if: Growth.countsMemory)) func theirBodiesAreNotKept() async throws {
        let growth = try await Growth.of(5) { count in
            let fixture = try ReplicationFixture()
            let text = String(repeating: "x", count: Self.bodyBytes)
            for number in 0..<count {
                try refuse(try fixture.collection.put("d\(number)", ["text": text]), in: fixture)
            }
            // The pages of the file are in SQLite's memory from then on.
            _ = try fixture.store.refusedChanges(in: .default, where: Self.isOfAccess)
            return (fixture, count)
        } work: { fixture, count in
            let refused = try fixture.store.refusedChanges(in: .default, where: Self.isOfAccess)
            #expect(refused.count == count)
        }
        let (few, many) = (growth.work[0][.allocatedBytes] ?? 0, growth.work[2][.allocatedBytes] ?? 0)
        #expect(many < few + UInt64(5 * Self.bodyBytes), "15 more bodies took \(many) - \(few) bytes")
    }
}
