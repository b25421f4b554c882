import DocumentStore
import DocumentValues
import Foundation
import Synchronization
import Testing

@testable import Replication

/// When it is stored what a resolver has decided.
@Suite struct ConflictWorkerTests {
    /// Time passes where a test says so.
    private final class ManualClock: Sendable {
        private let moment = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { moment.withLock { $0 } }

        func pass(_ duration: Duration) { moment.withLock { $0 = $0.advanced(by: duration) } }
    }

    private static let ids = ["x", "y"]
    private let laptop: Laptop
    private let store: ReplicationStore
    private let name: CollectionName
    private let clock = ManualClock()

    /// Both were changed here and at the gateway.
    init() throws {
        laptop = try Laptop()
        store = try ReplicationStore(database: laptop.database, remote: "ws://gateway.test/db")
        name = try CollectionName(scope: "field", name: "sites")
        for id in Self.ids {
            try pull(id, "1-aa", history: "", body: #"{"n":0}"#)
            try Self.edit(laptop, id, "ours")
            try pull(id, "2-ff", history: "1-aa", body: #"{"theirs":1}"#)
        }
        #expect(try store.conflicts(in: name).map(\.documentID).sorted() == Self.ids)
    }

    private func pull(_ id: String, _ revision: String, history: String, body: String) throws {
        let pulled = PulledRevision(
            documentID: id, revision: try #require(RevisionID(revision)),
            history: try #require(RevisionHistory(parsing: history)), isDeleted: false,
            body: try DocumentBody(reading: Array(body.utf8)))
        _ = try store.insert([pulled], in: name)
    }

    private static func edit(_ laptop: Laptop, _ id: String, _ key: String) throws {
        let document = try #require(try laptop.collection.document(id: id)?.toMutable())
        document.setInt(1, forKey: key)
        try laptop.collection.save(document: document)
    }

    private func resolve(with resolver: ConflictTests.Resolver) async throws -> [ConflictWorker.Outcome] {
        var part = CollectionConfiguration(collection: laptop.collection)
        part.conflictResolver = resolver
        let url = try #require(URL(string: "ws://gateway.test/db"))
        let configuration = ReplicatorConfiguration(collections: [part], target: URLEndpoint(url: url))
        let collection = try SessionConfiguration(configuration, store: store).collections[0]
        let worker = ConflictWorker(store: store, now: { [clock] in clock.now })
        let result = await withCheckedContinuation { continuation in
            worker.resolve(Self.ids, in: collection) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// The process may end while somebody thinks about the next one.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func whatTookLongIsStoredBeforeTheNextOneIsAsked(isSlow: Bool) async throws {
        let found = Mutex<[String?]>([])
        let resolver = ConflictTests.Resolver { [laptop, clock] conflict in
            let first = try laptop.json(Self.ids[0])
            found.withLock { $0.append(first) }
            if isSlow { clock.pass(ReplicationLimits.longestResolution) }
            return conflict.remoteDocument
        }
        #expect(try await resolve(with: resolver).count == 2)
        let ours = #"{"n":0,"ours":1}"#
        let expected: [String?] = [ours, isSlow ? #"{"theirs":1}"# : ours]
        #expect(found.withLock { $0 } == expected)
        for id in Self.ids { #expect(try laptop.json(id) == #"{"theirs":1}"#) }
    }

    /// The decision about one document waits to be stored while the resolver handles the next.
    @Test(.timeLimit(.minutes(1))) func aSaveWhileItThinksAboutTheNextOneIsNotLost() async throws {
        let asked = Mutex<[String]>([])
        let resolver = ConflictTests.Resolver { [laptop] conflict in
            let count = asked.withLock { asked in
                asked.append(conflict.documentID)
                return asked.count
            }
            if count == 2 { try Self.edit(laptop, Self.ids[0], "late") }
            let merged = conflict.remoteDocument?.toMutable()
            merged?.setInt(conflict.localDocument?.int(forKey: "late") ?? 0, forKey: "late")
            return merged
        }
        #expect(try await resolve(with: resolver).count == 2)
        #expect(asked.withLock { $0 } == ["x", "y", "x"], "it is asked again")
        #expect(try laptop.json("x") == #"{"theirs":1,"late":1}"#)
        #expect(try laptop.json("y") == #"{"theirs":1,"late":0}"#)
    }
}
