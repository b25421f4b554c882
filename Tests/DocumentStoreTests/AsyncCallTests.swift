import DocumentValues
import Foundation
import Testing

@testable import DocumentStore

/// Calls of asynchronous code.
@Suite struct AsyncCallTests {
    private let folder: TestFolder
    private let database: Database
    private let notes: DocumentStore.Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        notes = try database.createCollection(name: "notes")
    }

    // MARK: Documents and batches

    @Test func documentsAreSavedReadAndForgotten() async throws {
        let document = MutableDocument(id: "a").setInt(1, forKey: "n")
        try await notes.async.save(document: document)
        let stored = try #require(try await notes.async.document(id: "a"))
        #expect(stored.int(forKey: "n") == 1 && stored.revisionID == document.revisionID)
        #expect(try await notes.async.documentIDs() == ["a"])
        let other = try #require(try await notes.async.document(id: "a")).toMutable()
        try await notes.async.save(document: other.setInt(2, forKey: "n"))
        #expect(try await !notes.async.save(document: document, concurrencyControl: .failOnConflict))
        let isSaved = try await notes.async.save(document: document) { mine, theirs in
            mine.setInt(10 + (theirs?.int(forKey: "n") ?? 0), forKey: "n")
            return true
        }
        #expect(isSaved && notes["a"]["n"].int == 12)
        try await notes.async.delete(document: document)
        #expect(try await notes.async.document(id: "a") == nil)
        try await notes.async.purge(id: "a")
        await #expect(throws: StoreError.self) { try await notes.async.purge(id: "a") }
    }

    @Test func aBatchIsStoredAsAWholeOrNotAtAll() async throws {
        let count = try await database.async.inBatch { [notes] in
            for id in ["a", "b"] { try notes.save(document: MutableDocument(id: id)) }
            return notes.count
        }
        #expect(count == 2 && notes.count == 2)
        struct Stop: Error {}
        await #expect(throws: Stop.self) {
            try await database.async.inBatch { [notes] in
                try notes.save(document: MutableDocument(id: "c"))
                throw Stop()
            }
        }
        #expect(try notes.document(id: "c") == nil && notes.count == 2)
    }

    @Test func whatComesAfterClosingThrows() async throws {
        try await database.async.performMaintenance(type: .optimize)
        try await database.async.close()
        try await database.async.close()
        let error = await #expect(throws: StoreError.self) {
            try await notes.async.save(document: MutableDocument(id: "a"))
        }
        #expect(error?.code == .notOpen && database.path == nil)
    }

    @Test(.timeLimit(.minutes(1))) func aTaskThatIsCancelledSavesNothing() async throws {
        let task = Task { [notes] in
            while !Task.isCancelled { await Task.yield() }
            try await notes.async.save(document: MutableDocument(id: "a"))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try notes.document(id: "a") == nil)
    }

    /// Holds the queue of asynchronous writes until `body` has ended.
    private func whileABatchRuns(_ body: () async throws -> Void) async throws {
        let isHeld = Arrivals<Bool>()
        let release = DispatchSemaphore(value: 0)
        let holder = Task { [database] in
            try await database.async.inBatch {
                isHeld.add(true)
                release.wait()
            }
        }
        _ = try await isHeld.first()
        do { try await body() } catch {
            release.signal()
            throw error
        }
        release.signal()
        try await holder.value
    }

    @Test(.timeLimit(.minutes(1))) func aCallThatIsCancelledBeforeItsTurnSavesNothing() async throws {
        var calls: [Task<Void, any Error>] = []
        try await whileABatchRuns {
            calls = (0..<3).map { number in
                Task { [notes] in try await notes.async.save(document: MutableDocument(id: "d\(number)")) }
            }
            // They are in the queue by then.
            try await Task.sleep(for: .milliseconds(100))
            for call in calls.dropFirst() { call.cancel() }
        }
        try await calls[0].value
        for call in calls.dropFirst() {
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        #expect(try notes.documentIDs() == ["d0"])
    }

    @Test(.timeLimit(.minutes(1))) func anIntegrityCheckDoesNotWaitForWrites() async throws {
        try notes.put("a", [:])
        try await whileABatchRuns { try await database.async.performMaintenance(type: .integrityCheck) }
    }

    /// While the writer is held elsewhere, more calls wait than Swift has threads; what lets the writer go is a task as well.
    @Test(.timeLimit(.minutes(1))) func callsThatWaitBlockNoThreadOfTasks() async throws {
        let isHeld = Arrivals<Bool>()
        let release = DispatchSemaphore(value: 0)
        let holder = Thread { [database] in
            do {
                try database.inBatch {
                    isHeld.add(true)
                    release.wait()
                }
            } catch { Issue.record(error) }
        }
        holder.start()
        _ = try await isHeld.first()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask { [notes] in try await notes.async.save(document: MutableDocument(id: "d\(number)")) }
            }
            group.addTask { _ = release.signal() }
            try await group.waitForAll()
        }
        #expect(notes.count == 64)
    }

    // MARK: Rows

    @Test func rowsComeInTheirOrder() async throws {
        try database.inBatch {
            for number in 0..<1_500 {
                try notes.save(document: MutableDocument(id: "d\(number)").setInt(number, forKey: "n"))
            }
        }
        let results = try await database.createQuery("SELECT n FROM notes ORDER BY n").async.execute()
        #expect(results.columnNames == ["n"])
        var numbers: [Int] = []
        for try await row in results.rows { numbers.append(row.int(at: 0)) }
        #expect(numbers == Array(0..<1_500))
        let error = await #expect(throws: StoreError.self) { for try await _ in results.rows {} }
        #expect(error?.message.hasPrefix("This result set has already been enumerated") == true)
        let inBatch = try await database.async.inBatch { [database] in
            try database.createQuery("SELECT n FROM notes WHERE n < 3").execute()
        }
        let few = try await inBatch.rows.reduce(into: 0) { $0 += $1.int(at: 0) }
        #expect(few == 3)
    }

    @Test(.timeLimit(.minutes(1))) func anErrorThatEndsTheRowsIsThrown() async throws {
        try database.inBatch { for number in 0..<100 { try notes.put("d\(number)", [:]) } }
        let results = try await database.createQuery("SELECT META().id FROM notes").async.execute()
        try database.close()
        var iterator = results.rows.makeAsyncIterator()
        for _ in 0..<StoreLimits.firstRows {
            let row = try await iterator.next()
            #expect(row != nil)
        }
        let error = await #expect(throws: StoreError.self) { try await results.nextRow() }
        #expect(error?.code == .notOpen && (results.error as? StoreError)?.code == .notOpen)
    }

    /// A query that looks at a thousand million pairs and finds nothing.
    private func endlessQuery() throws -> Query {
        try database.inBatch {
            for number in 0..<1_000 {
                try notes.save(document: MutableDocument(id: "d\(number)").setInt(number, forKey: "n"))
            }
        }
        return try database.createQuery(
            """
            SELECT a.n FROM notes AS a JOIN notes AS b ON a.n >= 0 AND b.n >= 0 JOIN notes AS c ON a.n + b.n + c.n < 0
            """)
    }

    /// Waits until SQLite looks for the rows of a query.
    private func waitForReader() async throws {
        let results = try database.core().results
        while results.readers == 0 { try await Task.sleep(for: .milliseconds(1)) }
        // Its first rows are looked for as soon as it is noted.
        try await Task.sleep(for: .milliseconds(100))
        #expect(results.readers == 1)
    }

    @Test(.timeLimit(.minutes(1))) func cancellingEndsAQuery() async throws {
        let query = try endlessQuery()
        let task = Task { try await query.async.execute() }
        try await waitForReader()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        try database.close()
    }

    @Test(.timeLimit(.minutes(1))) func closingEndsAQuery() async throws {
        let query = try endlessQuery()
        let task = Task { try await query.async.execute() }
        try await waitForReader()
        try database.close()
        let error = await #expect(throws: StoreError.self) { _ = try await task.value }
        #expect(error?.code == .notOpen)
    }

    @Test(.timeLimit(.minutes(1))) func whatIsInterruptedBeforeItBeginsEndsToo() throws {
        let query = try endlessQuery()
        let reader = try query.begin(try database.core())
        reader.interrupt()
        #expect(throws: CancellationError.self) { try reader.read(1) }
        withExtendedLifetime(reader) {}
        // The connection goes on with others.
        #expect(try database.createQuery("SELECT count(*) FROM notes").execute().next()?.int(at: 0) == 1_000)
    }
    @Test(.timeLimit(.minutes(1))) func aTimeLimitEndsAQuery() async throws {
        let query = try endlessQuery()
        #expect(query.timeLimit == nil)
        query.timeLimit = .milliseconds(50)
        let error = #expect(throws: StoreError.self) { try query.execute() }
        #expect(error?.code == .timedOut && error?.message.contains("0.05 seconds") == true)
        let other = await #expect(throws: StoreError.self) { try await query.async.execute() }
        #expect(other?.code == .timedOut)
        // In a batch, which goes on.
        try database.inBatch {
            try notes.save(document: MutableDocument(id: "in-batch"))
            #expect(performing: { try query.execute() }, throws: isCode(.timedOut))
        }
        #expect(try notes.document(id: "in-batch") != nil)
        let short = try database.createQuery("SELECT count(*) FROM notes")
        short.timeLimit = .seconds(60)
        #expect(try short.execute().next()?.int(at: 0) == 1_001)
    }
}
