import DocumentStore
import DocumentValues
import Foundation
import Synchronization
import Testing

@testable import Replication

/// Two databases of one process.
@Suite struct DatabaseEndpointTests {
    private func configuration(
        _ from: Laptop, _ to: Laptop, _ type: ReplicatorType = .pushAndPull, isContinuous: Bool = false,
        _ change: (inout CollectionConfiguration) -> Void = { _ in }
    ) -> ReplicatorConfiguration {
        var part = CollectionConfiguration(collection: from.collection)
        change(&part)
        var configuration = ReplicatorConfiguration(
            collections: [part], target: DatabaseEndpoint(database: to.database))
        configuration.replicatorType = type
        configuration.continuous = isContinuous
        return configuration
    }

    private func contents(_ laptop: Laptop) throws -> [String: String] {
        try Dictionary(
            uniqueKeysWithValues: ["a", "b", "c", "d"].compactMap { id in try laptop.json(id).map { (id, $0) } })
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (ReplicatorType.pushAndPull, ["a", "b"], ["a", "b"]), (.push, ["a"], ["a", "b"]),
            (.pull, ["a", "b"], ["b"]),
        ])
    func documentsGoWhereTheyShould(type: ReplicatorType, here: [String], there: [String]) async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        try ours.put("a", #"{"n":1}"#)
        try theirs.put("b", #"{"n":2}"#)
        let log = try await sync(configuration(ours, theirs, type))
        #expect(try contents(ours).keys.sorted() == here)
        #expect(try contents(theirs).keys.sorted() == there)
        #expect(log.documents.allSatisfy { $0.document.error == nil })
        #expect(log.activities.first == .connecting && log.activities.last == .stopped)
        let again = try await sync(configuration(ours, theirs, type))
        #expect(again.documents.isEmpty, "nothing is left to do")
    }

    @Test(.timeLimit(.minutes(1))) func editsAndDeletionsFollow() async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        for id in ["a", "b"] { try ours.put(id, #"{"n":1}"#) }
        try await sync(configuration(ours, theirs))
        let edited = try #require(try theirs.collection.document(id: "a")?.toMutable())
        edited.setInt(2, forKey: "n")
        try theirs.collection.save(document: edited)
        try ours.collection.delete(document: #require(try ours.collection.document(id: "b")))
        try await sync(configuration(ours, theirs))
        #expect(try contents(ours) == ["a": #"{"n":2}"#])
        #expect(try contents(theirs) == ["a": #"{"n":2}"#])
        // Made again by a database that has the tombstone, and by one that never had it.
        let third = try Laptop()
        try third.put("b", #"{"n":3}"#)
        try await sync(configuration(third, theirs, .push))
        try await sync(configuration(ours, theirs))
        #expect(try contents(ours)["b"] == #"{"n":3}"#)
    }

    /// A user who sees a document can compute the id of its deletion, and have something live under it before that.
    @Test(.timeLimit(.minutes(1))) func aDeletionWhoseIDIsTakenThereIsNotTakenForSent() async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        try ours.put("a", #"{"n":1}"#)
        try await sync(configuration(ours, theirs))
        try ours.collection.delete(document: #require(try ours.collection.document(id: "a")))
        let sites = try CollectionName(scope: "field", name: "sites")
        let store = try ReplicationStore(database: ours.database, remote: "wss://other/db")
        let deletion = try #require(try store.revision(of: "a", in: sites))
        let live = PulledRevision(
            documentID: "a", revision: deletion.revision, history: deletion.history, isDeleted: false,
            body: try DocumentBody(reading: Array(#"{"n":2}"#.utf8)))
        _ = try ReplicationStore(database: theirs.database, remote: "wss://other/db").insert([live], in: sites)
        #expect(try theirs.json("a") == #"{"n":2}"#)
        try await sync(configuration(ours, theirs))
        try await sync(configuration(ours, theirs))
        #expect(try ours.json("a") == nil && theirs.json("a") == nil, "deleting wins")
    }

    @Test(.timeLimit(.minutes(1))) func bothSidesChanged() async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        try ours.put("a", #"{"n":0}"#)
        try await sync(configuration(ours, theirs))
        for (laptop, key) in [(ours, "ours"), (theirs, "theirs")] {
            let document = try #require(try laptop.collection.document(id: "a")?.toMutable())
            document.setInt(1, forKey: key)
            try laptop.collection.save(document: document)
        }
        let merging = configuration(ours, theirs) { $0.conflictResolver = Merging() }
        try await sync(merging)
        try await sync(merging)
        #expect(try contents(ours) == contents(theirs))
        #expect(try contents(ours)["a"] == #"{"n":0,"theirs":1,"ours":1}"#)
    }

    private struct Merging: ConflictResolverProtocol {
        func resolve(conflict: Conflict) throws -> Document? {
            let merged = conflict.remoteDocument?.toMutable()
            merged?.setInt(conflict.localDocument?.int(forKey: "ours") ?? 0, forKey: "ours")
            return merged
        }
    }

    @Test(.timeLimit(.minutes(1))) func aContinuousOneHearsOfSavesOnBothSides() async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        let log = ReplicatorLog(configuration(ours, theirs, isContinuous: true))
        log.replicator.start()
        try await log.wait { log.activities.last == .idle }
        try ours.put("a", #"{"n":1}"#)
        try await log.wait { try theirs.json("a") != nil && log.documents.count == 1 }
        try theirs.put("b", #"{"n":2}"#)
        try await log.wait { try ours.json("b") != nil && log.documents.count == 2 }
        for laptop in [ours, theirs] {
            let error = #expect(throws: StoreError.self) { try laptop.database.close() }
            #expect(error?.message.contains("stop all of the replicators") == true, "\(error as Any)")
            #expect(throws: StoreError.self) { try laptop.database.delete() }
        }
        try await log.stop()
        try ours.database.close()
    }

    @Test(.timeLimit(.minutes(2))) func manyDocumentsAndLargeBlobsTravelBothWays() async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        let content = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        for (laptop, id) in [(ours, "mine"), (theirs, "yours")] {
            let document = MutableDocument(id: id, data: ["n": 1])
            document.setBlob(Blob(contentType: "image/x", data: content + Data(id.utf8)), forKey: "photo")
            try laptop.collection.save(document: document)
            try laptop.database.inBatch {
                for number in 0..<1_500 { try laptop.put("\(id)\(number)", #"{"n":\#(number)}"#) }
            }
        }
        try await sync(configuration(ours, theirs))
        for laptop in [ours, theirs] {
            #expect(laptop.collection.count == 3_002)
            for id in ["mine", "yours"] {
                let blob = try laptop.collection.document(id: id)?.blob(forKey: "photo")
                #expect(blob?.content == content + Data(id.utf8))
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func filtersAndChosenDocumentsCount() async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        for id in ["a", "b"] { try ours.put(id, "{}") }
        for id in ["c", "d"] { try theirs.put(id, "{}") }
        try await sync(
            configuration(ours, theirs) {
                $0.pushFilter = { document, _ in document.id == "a" }
                $0.pullFilter = { document, _ in document.id == "c" }
            })
        #expect(try contents(ours).keys.sorted() == ["a", "b", "c"])
        #expect(try contents(theirs).keys.sorted() == ["a", "c", "d"])
        try await sync(configuration(ours, theirs) { $0.documentIDs = ["d"] })
        #expect(try contents(ours).keys.sorted() == ["a", "b", "c", "d"])
        #expect(try contents(theirs)["b"] == nil)
    }

    @Test(.timeLimit(.minutes(1))) func aCollectionThatTheOtherLacksStops() async throws {
        let (ours, theirs) = (try Laptop("sites"), try Laptop("others"))
        let log = ReplicatorLog(configuration(ours, theirs, isContinuous: true))
        let error = try await log.runToEnd()
        #expect(error?.code == CBLError.httpNotFound)
        log.close()
        try theirs.database.close()
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false], [true, false])
    func aCollectionThatIsDeletedMeanwhileStops(isThere: Bool, isContinuous: Bool) async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        try ours.put("a", "{}")
        let (asked, deleted) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let configuration = configuration(ours, theirs, isContinuous: isContinuous) {
            $0.pushFilter = { _, _ in
                asked.signal()
                deleted.wait()
                return true
            }
        }
        let log = ReplicatorLog(configuration, ReplicatorEnvironment(firstWait: 0.01))
        log.replicator.start()
        asked.wait()
        try (isThere ? theirs : ours).database.deleteCollection(name: "sites", scope: "field")
        for _ in 0..<10 { deleted.signal() }
        try await log.stopped()
        #expect(log.error != nil, "\(log.activities)")
        log.close()
        for laptop in [ours, theirs] { try laptop.database.close() }
    }

    /// Also where nothing else happens: a replicator that goes on does nothing any more, and says so.
    @Test(.timeLimit(.minutes(1)), arguments: [ReplicatorType.pushAndPull, .push, .pull])
    func aCollectionThatIsDeletedWhileNothingHappensStops(type: ReplicatorType) async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        let log = ReplicatorLog(
            configuration(ours, theirs, type, isContinuous: true), ReplicatorEnvironment(firstWait: 0.01))
        log.replicator.start()
        try await log.wait { log.activities.last == .idle }
        try ours.database.deleteCollection(name: "sites", scope: "field")
        try await log.stopped()
        #expect(log.error != nil, "\(log.activities)")
        log.close()
        for laptop in [ours, theirs] { try laptop.database.close() }
    }

    @Test(.timeLimit(.minutes(1))) func wrongEndpointsAreRefused() async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        func refusal(_ configuration: ReplicatorConfiguration) -> String? {
            (Replicator(config: configuration).status.error as? ReplicationError)?.message
        }
        #expect(refusal(configuration(ours, theirs)) == nil)
        #expect(refusal(configuration(ours, ours)) == "A database cannot be replicated with itself.")
        #expect(
            refusal(configuration(ours, theirs) { $0.channels = ["x"] })
                == "Channels belong to gateways; a database has none.")
        try theirs.database.close()
        let log = ReplicatorLog(configuration(ours, theirs))
        let error = try await log.runToEnd()
        #expect(error?.message == "Attempting to perform an operation on a closed database.")
        log.close()
        try ours.database.close()
    }
}
