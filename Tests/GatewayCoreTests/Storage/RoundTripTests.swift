import BLIPProtocol
import DocumentValues
import NIOCore
import SyncProtocol
import Testing

@testable import GatewayCore

/// The number of calls to the store does not grow with the documents of a round, nor with the rows of a page.
@Suite(.timeLimit(.minutes(1))) struct RoundTripTests {
    private static func run(
        _ configuration: JSONValue = [:], _ body: @Sendable (TestDatabase, RoundTripStore) async throws -> Void
    ) async throws {
        try await TestDatabase.run(configuration, on: .roundTrips) { test in
            let store = try #require(test.database.store as? RoundTripStore)
            try await body(test, store)
        }
    }

    private static func writes(_ count: Int, channel: String, replacing: [RevisionID] = []) -> [DocumentWrite] {
        (0..<count).map { number in
            let body: JSONValue = ["channels": [.string(channel)], "n": .number(JSONNumber(UInt64(number)))]
            let edit = DocumentWrite.Edit.new(replacing: replacing.isEmpty ? nil : replacing[number])
            return DocumentWrite(id: "d\(number)", body: body.bytes, edit: edit)
        }
    }

    private static func push(_ writes: [DocumentWrite], to test: TestDatabase) async throws -> [RevisionID] {
        try await test.database.documents.write(writes, in: TestDatabase.collection, as: .admin)
            .map { try $0.get().revision }
    }

    @Test(arguments: [5, 400]) func aRoundIsAFewCalls(count: Int) async throws {
        try await Self.run(["delta_sync": ["enabled": true]]) { test, store in
            _ = store.trips.take()
            let revisions = try await Self.push(Self.writes(count, channel: "x"), to: test)
            #expect(
                store.trips.take() == [
                    "documents.forEachState", "documents.sequences", "nextSequences", "documents.put",
                ])
            _ = try await Self.push(Self.writes(count, channel: "y", replacing: revisions), to: test)
            #expect(
                store.trips.take() == [
                    "documents.forEachState", "documents.sequences", "nextSequences", "documents.put",
                    "oldRevisions.insert",
                ])
        }
    }

    /// The grants of one document count for the next: so documents with grants wait for each other, but no other write
    /// waits for them.
    @Test func whoGrantsSomethingIsStoredByItself() async throws {
        try await Self.run { test, store in
            try await test.putUser("ann")
            _ = store.trips.take()
            let before = test.database.lastSequence
            var writes = Self.writes(10, channel: "x")
            writes[4] = DocumentWrite(
                id: "grants", body: (["access": ["ann": ["x"]]] as JSONValue).bytes, edit: .new(replacing: nil))
            _ = try await Self.push(writes, to: test)
            #expect(store.trips.take().filter { $0 == "documents.put" }.count == 3)
            #expect(test.database.lastSequence == before + 10)
            let rows = try await test.changes(ChangesRequest(collection: TestDatabase.collection))
            #expect(rows.map(\.id) == writes.map(\.id), "the order is that of the request")
        }
    }

    @Test(arguments: [5, 400]) func aPageIsAFewCalls(count: Int) async throws {
        try await Self.run { test, store in
            try await test.putUser("ann", channels: ["x"])
            let revisions = try await Self.push(Self.writes(count, channel: "x"), to: test)
            let before = SequenceID(test.database.lastSequence)
            let request = ChangesRequest(collection: TestDatabase.collection, revocations: true)
            // Reads the channels that ann holds, which are then remembered.
            _ = try await test.changes(request, as: .user("ann"))
            _ = store.trips.take()
            #expect(try await test.changes(request, as: .user("ann")).count == count)
            let pages = store.trips.take()
            #expect(pages.count <= 2 && pages.allSatisfy { $0 == "feed.page" }, "\(pages)")
            _ = try await Self.push(Self.writes(count, channel: "y", replacing: revisions), to: test)
            _ = store.trips.take()
            let later = ChangesRequest(collection: TestDatabase.collection, since: before, revocations: true)
            let removals = try await test.changes(later, as: .user("ann"))
            #expect(removals.count == count && removals.allSatisfy(\.isRemovedFromAll))
            let trips = store.trips.take()
            #expect(trips.count <= 3 && trips.count(where: { $0 == "documents.channels" }) == 1, "\(trips)")
        }
    }

    /// The channels come with the rows of the list.
    @Test func aRevocationIsAFewCalls() async throws {
        try await Self.run { test, store in
            try await test.putUser("ann", channels: ["x"])
            _ = try await Self.push(Self.writes(100, channel: "x"), to: test)
            let before = SequenceID(test.database.lastSequence)
            try await test.grant("ann", channels: [])
            let request = ChangesRequest(collection: TestDatabase.collection, since: before, revocations: true)
            _ = try await test.changes(request, as: .user("ann"))
            _ = store.trips.take()
            let rows = try await test.changes(request, as: .user("ann"))
            #expect(rows.count == 100 && rows.allSatisfy(\.isRevoked))
            #expect(store.trips.take().filter { $0 != "feed.page" }.isEmpty)
        }
    }

    /// An engine whose server does its upkeep by itself has none.
    @Test func housekeepingAndCompactionNeedNoUpkeep() async throws {
        try await Self.run { test, store in
            #expect(store.upkeep == nil && test.database.missingReserve == 0)
            try await test.putAttachment("d", bytes: 3, of: 7)
            await test.maintain()
            let maintenance = test.database.maintenance
            _ = try maintenance.startCompaction(.attachment)
            while !maintenance.compactionStatus(.attachment).isOver { await Task.yield() }
            #expect(maintenance.compactionStatus(.attachment).state == .completed)
        }
    }

    /// If an engine cannot read in place, a connection reads its attachments before it sends them.
    @Test func anAttachmentIsReadAhead() async throws {
        try await Self.run { test, store in
            try await test.putAttachment("d", bytes: 300_000, of: 7)
            let backend = DatabaseSyncBackend(database: test.database, requester: .admin, version: .version3)
            let digest = BlobDigest(of: [UInt8](repeating: 7, count: 300_000))
            let body = try #require(try await backend.attachment(digest.text, of: "d", collection: 0))
            guard case .bytes(let bytes) = body else { throw GatewayError.missing }
            #expect(bytes.readableBytes == 300_000)
            #expect(try await backend.attachment(BlobDigest(of: [1]).text, of: "d", collection: 0) == nil)
        }
    }
}
