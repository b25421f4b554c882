import DocumentStore
import DocumentValues
import Foundation
import Synchronization
import Testing

private func numbers(_ change: QueryChange?) -> [Int] {
    change?.results?.allResults().map { $0.int(at: 0) } ?? [-1]
}

/// Queries whose results are heard of when they change.
struct LiveQueryTests {
    private let golden: GoldenDatabase
    private var database: Database { golden.database }
    private let notes: DocumentStore.Collection

    init() throws {
        golden = try GoldenDatabase()
        notes = try golden.collection("live")
    }

    private func save(_ id: String, number: Int) throws {
        try notes.save(document: MutableDocument(id: id).setInt(number, forKey: "n"))
    }

    @Test(.timeLimit(.minutes(1))) func resultsThenChanges() async throws {
        try save("a", number: 1)
        let query = try database.createQuery("SELECT n FROM live WHERE n < 10 ORDER BY n")
        var changes = query.changes().makeAsyncIterator()
        #expect(numbers(await changes.next()) == [1])
        try save("b", number: 2)
        #expect(numbers(await changes.next()) == [1, 2])
        // What changes no row of the results is not heard of, nor are other collections.
        try save("c", number: 11)
        try golden.collection("other").save(document: MutableDocument(id: "x").setInt(5, forKey: "n"))
        try save("d", number: 3)
        #expect(numbers(await changes.next()) == [1, 2, 3])
        try notes.purge(id: "a")
        #expect(numbers(await changes.next()) == [2, 3])
    }

    /// No document has changed, so listeners of the collection are not called.
    @Test(.timeLimit(.minutes(1))) func aNewDateAtWhichADocumentExpiresIsHeardOf() async throws {
        try save("a", number: 1)
        let heard = Mutex<[String]>([])
        let token = notes.addChangeListener { change in heard.withLock { $0 += change.documentIDs } }
        let query = try database.createQuery("SELECT META().expiration FROM live")
        var changes = query.changes().makeAsyncIterator()
        let limited = try database.createQuery("SELECT n FROM live WHERE META().expiration IS VALUED")
        var limitedChanges = limited.changes().makeAsyncIterator()
        #expect(numbers(await changes.next()) == [0])
        #expect(numbers(await limitedChanges.next()) == [])
        try notes.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSince1970: 4_000_000_000))
        #expect(numbers(await changes.next()) == [4_000_000_000_000])
        #expect(numbers(await limitedChanges.next()) == [1])
        try notes.setDocumentExpiration(id: "a", expiration: nil)
        #expect(numbers(await changes.next()) == [0])
        #expect(numbers(await limitedChanges.next()) == [])
        token.remove()
        #expect(heard.withLock { $0 } == [])
    }

    @Test(.timeLimit(.minutes(1))) func newParametersAreAChange() async throws {
        for number in 1...4 { try save("\(number)", number: number) }
        let query = try database.createQuery("SELECT n FROM live WHERE n > $least ORDER BY n")
        query.parameters = Parameters().setInt(2, forName: "least")
        var changes = query.changes().makeAsyncIterator()
        #expect(numbers(await changes.next()) == [3, 4])
        query.parameters = Parameters().setInt(3, forName: "least")
        #expect(numbers(await changes.next()) == [4])
    }

    @Test(.timeLimit(.minutes(1))) func failuresAreHeardOfAndPass() async throws {
        let query = try database.createQuery("SELECT n FROM live LIMIT $limit")
        query.parameters = Parameters().setString("x", forName: "limit")
        var changes = query.changes().makeAsyncIterator()
        #expect(await changes.next()?.error is StoreError)
        query.parameters = Parameters().setInt(1, forName: "limit")
        #expect(numbers(await changes.next()) == [])
    }

    /// It fails at each commit for the same reason.
    @Test(.timeLimit(.minutes(1))) func aFailureIsHeardOfOnce() async throws {
        let failing = try database.createQuery("SELECT n FROM live LIMIT $limit")
        failing.parameters = Parameters().setString("x", forName: "limit")
        let failures = Mutex(0)
        let token = failing.addChangeListener { change in
            failures.withLock { $0 += change.error == nil ? 0 : 1 }
        }
        // It is as slow as the other, so several runs of that are several of this.
        var others = try database.createQuery("SELECT COUNT(*) FROM live").changes().makeAsyncIterator()
        for number in 0..<4 {
            #expect(numbers(await others.next()) == [number])
            try save("\(number)", number: number)
        }
        token.remove()
        #expect(failures.withLock { $0 } == 1)
    }

    @Test(.timeLimit(.minutes(1))) func aDeletedCollectionIsHeardOf() async throws {
        try save("a", number: 1)
        let query = try database.createQuery("SELECT n FROM live")
        var changes = query.changes().makeAsyncIterator()
        #expect(numbers(await changes.next()) == [1])
        try database.deleteCollection(name: "live")
        #expect(await changes.next()?.error is StoreError)
        _ = try golden.collection("live")
        #expect(numbers(await changes.next()) == [])
    }

    @Test(.timeLimit(.minutes(1))) func aListenerKeepsTheDatabaseOpen() async throws {
        let query = try database.createQuery("SELECT n FROM live")
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let token = query.addChangeListener(withQueue: .global()) { continuation.yield(numbers($0).count) }
        var counts = stream.makeAsyncIterator()
        #expect(await counts.next() == 0)
        let error = #expect(throws: StoreError.self) { try database.close() }
        #expect(error?.message.contains("query listeners") == true)
        token.remove()
        try database.close()
    }

    /// A burst is heard of in few changes, the last of which has everything.
    @Test(.timeLimit(.minutes(1))) func burstsAreGathered() async throws {
        let query = try database.createQuery("SELECT COUNT(*) FROM live")
        let heard = Mutex<[Int]>([])
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let token = query.addChangeListener { change in
            let count = numbers(change)[0]
            heard.withLock { $0.append(count) }
            if count == 200 { continuation.finish() }
        }
        for number in 0..<200 { try save("\(number)", number: number) }
        for await _ in stream {}
        token.remove()
        let counts = heard.withLock { $0 }
        #expect(counts.last == 200 && counts == counts.sorted())
        #expect(counts.count < 100, "\(counts.count) changes")
    }
}
