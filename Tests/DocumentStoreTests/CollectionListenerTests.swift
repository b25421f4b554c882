import DocumentStore
import Dispatch
import Foundation
import GRDB
import Synchronization
import Testing

@Suite struct CollectionListenerTests {
    let folder: TestFolder
    let database: DocumentStore.Database
    let collection: DocumentStore.Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        collection = try database.defaultCollection()
    }

    @Test func changesAreReportedInOrderFromTheRegistrationOn() async throws {
        try collection.put("before", [:])
        let heard = Arrivals<[String]>()
        let token = collection.addChangeListener { heard.add($0.documentIDs) }
        defer { token.remove() }
        for id in ["a", "b", "a"] { try collection.put(id, [:]) }
        try collection.purge(id: "b")
        let ids = try await heard.collect { $0.joined().count { $0 == "b" } >= 1 && $0.joined().last == "b" }
        #expect(!ids.joined().contains("before") && ids.joined().contains("a"))
    }

    @Test func aBatchIsReportedOnceAfterItsCommit() async throws {
        let heard = Arrivals<[String]>()
        let token = collection.addChangeListener { heard.add($0.documentIDs) }
        defer { token.remove() }
        struct Change: Error {}
        #expect(throws: Change.self) {
            try database.inBatch {
                try collection.put("rolled back", [:])
                throw Change()
            }
        }
        try database.inBatch { for number in 0..<10 { try collection.put("d\(number)", [:]) } }
        #expect(try await heard.first() == (0..<10).map { "d\($0)" })
    }

    @Test func manyChangesComeInPortions() async throws {
        let heard = Arrivals<Int>()
        let token = collection.addChangeListener { heard.add($0.documentIDs.count) }
        defer { token.remove() }
        try database.inBatch { for number in 0..<2500 { try collection.put("d\(number)", [:]) } }
        let counts = try await heard.collect { $0.reduce(0, +) == 2500 }
        #expect(counts == [1000, 1000, 500])
    }

    /// Another process may delete a collection between two looks; what concerns the others is delivered, and what could not
    /// be read is read again.
    @Test func whatCouldNotBeReadIsReportedLater() async throws {
        try collection.put("a", [:])
        let other = try database.createCollection(name: "other")
        let (heard, heardOther) = (Arrivals<[String]>(), Arrivals<[String]>())
        let tokens = [
            collection.addChangeListener { heard.add($0.documentIDs) },
            other.addChangeListener { heardOther.add($0.documentIDs) },
        ]
        defer { tokens.forEach { $0.remove() } }
        let file = try DatabaseQueue(path: folder.databaseFolder().appendingPathComponent("database.sqlite3").path)
        try await file.write { db in
            try db.execute(
                sql: """
                    UPDATE documents_1 SET sequence = sequence + 1;
                    UPDATE collections SET last_sequence = 2 WHERE id = 1;
                    ALTER TABLE documents_1 RENAME TO away;
                    """)
        }
        try other.put("b", [:])
        #expect(try await heardOther.first() == ["b"])
        try await file.write { try $0.execute(sql: "ALTER TABLE away RENAME TO documents_1") }
        try other.put("c", [:])
        #expect(try await heard.first() == ["a"])
    }

    @Test func aDocumentListenerHearsOfItsDocumentOnly() async throws {
        let queue = DispatchQueue(label: "mine")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let heard = Arrivals<Bool>()
        let token = collection.addDocumentChangeListener(id: "a", queue: queue) { change in
            heard.add(change.documentID == "a" && DispatchQueue.getSpecific(key: key) == true)
        }
        defer { token.remove() }
        try collection.put("b", [:])
        try collection.put("a", [:])
        #expect(try await heard.first() == true)
    }

    @Test func otherCollectionsAreNotReported() async throws {
        let other = try database.createCollection(name: "other")
        let heard = Arrivals<String>()
        let tokens = [
            collection.addChangeListener { _ in heard.add("default") },
            other.addChangeListener { _ in heard.add("other") },
        ]
        defer { for token in tokens { token.remove() } }
        try other.put("a", [:])
        #expect(try await heard.first() == "other")
    }

    @Test func aRemovedListenerIsNotCalled() async throws {
        let heard = Arrivals<String>()
        let first = collection.addChangeListener { _ in heard.add("removed") }
        first.remove()
        first.remove()
        let second = collection.addChangeListener { _ in heard.add("kept") }
        defer { second.remove() }
        try collection.put("a", [:])
        #expect(try await heard.first() == "kept")
    }

    @Test func changesAreAnAsynchronousSequenceToo() async throws {
        let changes = collection.changes()
        let documents = collection.documentChanges(id: "b")
        try collection.put("a", [:])
        try collection.put("b", [:])
        var ids: Set<String> = []
        for await change in changes {
            ids.formUnion(change.documentIDs)
            if ids == ["a", "b"] { break }
        }
        for await change in documents {
            #expect(change.documentID == "b" && change.collection == collection)
            break
        }
    }

    /// Changes right before that are reported, too.
    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func sequencesOfChangesEndWithTheDatabase(isDeleted: Bool) async throws {
        let (changes, documents) = (collection.changes(), collection.documentChanges(id: "a"))
        try collection.put("a", [:])
        if isDeleted { try database.delete() } else { try database.close() }
        var heard: [String] = []
        for await change in changes { heard += change.documentIDs }
        for await change in documents { heard.append("document \(change.documentID)") }
        #expect(heard == ["a", "document a"])
        for await change in collection.changes() { heard += change.documentIDs }
        for await change in collection.documentChanges(id: "a") { heard.append(change.documentID) }
        #expect(heard.count == 2)
    }

    @Test(.timeLimit(.minutes(1))) func sequencesOfChangesEndWithTheirCollection() async throws {
        let other = try database.createCollection(name: "other")
        let (changes, documents) = (other.changes(), other.documentChanges(id: "a"))
        let heard = Arrivals<[String]>()
        let token = collection.addChangeListener { heard.add($0.documentIDs) }
        defer { token.remove() }
        try database.deleteCollection(name: "other")
        for await _ in changes {}
        for await _ in documents {}
        for await _ in other.changes() {}
        for await _ in other.documentChanges(id: "a") {}
        try collection.put("b", [:])
        #expect(try await heard.first() == ["b"], "those of other collections go on")
    }

    /// A collection that is taken back with its deletion is listened to as before.
    @Test(.timeLimit(.minutes(1))) func aDeletionThatIsTakenBackEndsNothing() async throws {
        struct Slip: Error {}
        let other = try database.createCollection(name: "other")
        let heard = Arrivals<[String]>()
        let token = other.addChangeListener { heard.add($0.documentIDs) }
        defer { token.remove() }
        #expect(throws: Slip.self) {
            try database.inBatch {
                try database.deleteCollection(name: "other")
                collection.addChangeListener { _ in }.remove()
                throw Slip()
            }
        }
        try other.put("a", [:])
        #expect(try await heard.first() == ["a"])
    }

    @Test func aDocumentThatWasPurgedAndMadeAgainIsNamedOnce() async throws {
        let heard = Arrivals<[String]>()
        let token = collection.addChangeListener { heard.add($0.documentIDs) }
        defer { token.remove() }
        try database.inBatch {
            for _ in 0..<3 {
                try collection.put("a", [:])
                try collection.purge(id: "a")
            }
            try collection.put("a", [:])
            try collection.put("b", [:])
        }
        #expect(try await heard.first() == ["a", "b"])
    }

    /// Swift takes a closure of a function of the main actor for one that runs there, and ends the program where it does not,
    /// if nothing says that it may run elsewhere.
    @MainActor @Test func aListenerThatIsMadeOnTheMainActorRunsElsewhere() async throws {
        let heard = Arrivals<[String]>()
        let token = collection.addChangeListener { change in
            heard.add(change.documentIDs.map { "\($0)!" })
        }
        defer { token.remove() }
        try collection.put("a", [:])
        #expect(try await heard.first() == ["a!"])
    }

    /// The same with the main queue: what belongs to the main actor can be used there.
    @MainActor @Test func aListenerOnTheMainQueueUsesTheMainActor() async throws {
        let heard = Arrivals<[String]>()
        let token = collection.addChangeListener(queue: .main) { change in
            MainActor.assumeIsolated { heard.add(change.documentIDs) }
        }
        defer { token.remove() }
        try collection.put("a", [:])
        #expect(try await heard.first() == ["a"])
    }

    /// Also of changes that were about to be reported.
    @Test func aListenerThatIsRemovedHearsOfNothing() throws {
        let queue = DispatchQueue(label: "busy")
        queue.suspend()
        let heard = Atomic(0)
        let tokens = [
            collection.addChangeListener(queue: queue) { _ in _ = heard.wrappingAdd(1, ordering: .relaxed) },
            collection.addDocumentChangeListener(id: "a", queue: queue) { _ in
                _ = heard.wrappingAdd(1, ordering: .relaxed)
            },
        ]
        try collection.put("a", [:])
        // The others are notified of the commit first.
        let last = collection.addChangeListener { _ in }
        for token in tokens + [last] { token.remove() }
        queue.resume()
        queue.sync {}
        #expect(heard.load(ordering: .relaxed) == 0)
    }

    @Test func aListenerMayUseTheDatabase() async throws {
        let heard = Arrivals<String?>()
        let token = collection.addChangeListener { [collection] change in
            heard.add(try? collection.document(id: change.documentIDs[0])?.string(forKey: "n"))
        }
        defer { token.remove() }
        try collection.put("a", ["n": "one"])
        #expect(try await heard.first() == "one")
    }

    // MARK: Expiration

    @Test func aDocumentIsPurgedWhenItsTimeHasCome() async throws {
        try collection.put("a", [:])
        try collection.put("b", [:])
        let heard = Arrivals<String>()
        let token = collection.addDocumentChangeListener(id: "a") { heard.add($0.documentID) }
        defer { token.remove() }
        let date = Date(timeIntervalSinceNow: 0.2)
        try collection.setDocumentExpiration(id: "a", expiration: date)
        let stored = try #require(try collection.getDocumentExpiration(id: "a"))
        #expect(abs(stored.timeIntervalSince(date)) < 0.001)
        #expect(try await heard.first() == "a")
        #expect(try collection.document(id: "a") == nil && collection.count == 1)
        #expect(try collection.put("a", [:]).revisionID?.hasPrefix("1-") == true, "it was purged, not deleted")
    }

    @Test func whatExpiredWhileTheDatabaseWasClosedIsGone() async throws {
        try collection.put("a", [:])
        try collection.put("b", [:])
        try collection.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSinceNow: 3600))
        try collection.setDocumentExpiration(id: "b", expiration: Date(timeIntervalSinceNow: 3600))
        try collection.setDocumentExpiration(id: "b", expiration: nil)
        try database.close()
        // The hour goes by.
        let file = try DatabaseQueue(path: folder.databaseFolder().appendingPathComponent("database.sqlite3").path)
        try await file.write { db in
            try db.execute(
                sql: """
                    UPDATE documents_1 SET expiration = expiration - 7200 WHERE id = 'a';
                    UPDATE collections SET next_expiration = next_expiration - 7200 WHERE id = 1;
                    """)
        }
        try file.close()
        let again = try folder.open().defaultCollection()
        #expect(try again.document(id: "a") == nil && again.document(id: "b") != nil)
        #expect(try again.getDocumentExpiration(id: "b") == nil)
        #expect(try again.getDocumentExpiration(id: "a") == nil)
        #expect(performing: { try again.setDocumentExpiration(id: "x", expiration: nil) }, throws: isCode(.notFound))
    }
}
