import DocumentStore
import DocumentValues
import Foundation
import Testing

/// Two databases on one folder, as two processes have it: nothing is shared between them but the files.
@Suite struct TwoProcessesTests {
    let folder: TestFolder
    let one: Database
    let two: Database

    init() throws {
        folder = try TestFolder()
        one = try folder.open()
        two = try folder.open()
    }

    @Test func eachSeesWhatTheOtherCommits() throws {
        try one.defaultCollection().put("a", ["by": "one"])
        let document = try #require(try two.defaultCollection().document(id: "a")).toMutable()
        document.setString("two", forKey: "by")
        #expect(try two.defaultCollection().save(document: document, concurrencyControl: .failOnConflict))
        #expect(try one.defaultCollection().document(id: "a")?.string(forKey: "by") == "two")
        #expect(try one.defaultCollection().document(id: "a")?.sequence == 2)
    }

    @Test func eachHearsOfTheOthersCommitsSoon() async throws {
        let heard = Arrivals<(ids: [String], at: ContinuousClock.Instant)>()
        let token = try one.defaultCollection().addChangeListener { heard.add(($0.documentIDs, .now)) }
        defer { token.remove() }
        var delays: [Duration] = []
        for round in 0..<20 {
            let document = try two.defaultCollection().put("d\(round)", [:])
            let start = ContinuousClock.now
            let news = try #require(try await heard.first())
            #expect(news.ids == [document.id])
            delays.append(news.at - start)
        }
        // The poll, which only makes up for lost notices, would take its whole time after each: half of that is far from
        // what a busy machine takes.
        #expect(delays.sorted()[delays.count / 2] < .seconds(1), "\(delays)")
    }

    /// One that comes while the last other one goes hears of other processes, too.
    @Test(.timeLimit(.minutes(2))) func aListenerIsHeardWhileTheLastOneGoes() async throws {
        let (collection, others) = (try one.defaultCollection(), try two.defaultCollection())
        for round in 0..<200 {
            let last = collection.addChangeListener { _ in }
            async let removal: Void = { last.remove() }()
            let heard = Arrivals<[String]>()
            let token = collection.addChangeListener { heard.add($0.documentIDs) }
            await removal
            try others.put("d\(round)", [:])
            #expect(try await heard.first() == ["d\(round)"])
            token.remove()
        }
    }

    @Test func purgesAreHeardToo() async throws {
        try two.defaultCollection().put("a", [:])
        let heard = Arrivals<String>()
        let token = try one.defaultCollection().addDocumentChangeListener(id: "a") { heard.add($0.documentID) }
        defer { token.remove() }
        try two.defaultCollection().purge(id: "a")
        #expect(try await heard.first() == "a")
        #expect(try one.defaultCollection().document(id: "a") == nil)
    }

    @Test func theReplicatorHearsOfTheOthersCommits() async throws {
        let store = try ReplicationStore(database: one, remote: "r")
        let heard = Arrivals<Set<CollectionName>>()
        let token = try store.observeChanges { heard.add($0) }
        defer { token.remove() }
        let name = try CollectionName(scope: "field", name: "sites")
        try two.createCollection(name: name.name, scope: name.scope).put("a", [:])
        let collections = try await heard.collect { $0.contains { $0.contains(name) } }
        #expect(collections.contains([name]))
    }

    @Test func writersWaitForOneAnother() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, database) in [one, two, one, two].enumerated() {
                group.addTask {
                    for round in 0..<25 { try database.defaultCollection().put("d\(number)-\(round)", ["n": round]) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try one.defaultCollection().count == 100)
        let changes = try ReplicationStore(database: two, remote: "r").changes(in: .default, after: 0, limit: 1000)
        #expect(changes.changes.map(\.sequence) == Array(1...100))
    }

    @Test func aCollectionDeletedByTheOtherIsGone() throws {
        let mine = try one.createCollection(name: "c")
        try mine.put("a", [:])
        try two.deleteCollection(name: "c")
        #expect(performing: { try mine.document(id: "a") }, throws: isCode(.notOpen))
        #expect(performing: { try mine.put("b", [:]) }, throws: isCode(.notOpen))
        #expect(performing: { try mine.deleteIndex(forName: "i") }, throws: isCode(.notOpen))
        #expect(mine.count == 0)
        let second = try two.createCollection(name: "c")
        #expect(performing: { try mine.put("b", [:]) }, throws: isCode(.notOpen))
        #expect(second.count == 0 && second != mine)
    }

    @Test func readingDoesNotWaitForAWriter() throws {
        // The lock of the file that SQLite writes under, held as a hanging process would.
        try two.inBatch {
            try two.defaultCollection().put("a", [:])
            #expect(try one.defaultCollection().document(id: "a") == nil)
        }
        #expect(try one.defaultCollection().document(id: "a") != nil)
    }
}
