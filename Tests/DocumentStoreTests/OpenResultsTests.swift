import Dispatch
import Testing

@testable import DocumentStore

/// Asynchronous queries of more tasks than there may be open results.
@Suite(.timeLimit(.minutes(1))) struct OpenResultsTests {
    private let folder: TestFolder
    private let database: Database
    /// Has more rows than are read at once, so that its results stay open.
    private let query: Query

    init() throws {
        folder = try TestFolder()
        let database = try folder.open()
        let notes = try database.createCollection(name: "notes")
        try database.inBatch { for number in 0..<40 { try notes.put("d\(number)", ["n": number]) } }
        self.database = database
        query = try database.createQuery("SELECT n FROM notes ORDER BY n")
    }

    private func results() throws -> OpenResults { try database.core().results.turns }

    /// Opens as many results as there may be, outside of the tasks of a test.
    private func holdAll() throws -> [ResultSet] {
        try (0..<StoreLimits.openResults).map { _ in try query.execute() }
    }

    private func wait(for count: Int) async throws {
        let results = try results()
        while results.waiting != count { try await Task.sleep(for: .milliseconds(1)) }
    }

    // MARK: Turns

    @Test func hundredsOfTasksGetTheirTurns() async throws {
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<400 {
                group.addTask { [query] in
                    try await query.async.execute().rows.reduce(into: 0) { $0 += $1.int(at: 0) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == Array(repeating: 780, count: 400))
        #expect(try results().count == 0)
    }

    /// Each task keeps the outer result open while it waits for the inner ones.
    @Test func queriesInsideEachOtherWaitForNoneOfTheirOwn() async throws {
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { [query] in
                    var count = 0
                    for try await outer in try await query.async.execute().rows where outer.int(at: 0) % 20 == 0 {
                        for try await inner in try await query.async.execute().rows where inner.int(at: 0) == 30 {
                            count += try await query.async.execute().rows.reduce(into: 0) { sum, _ in sum += 1 }
                        }
                    }
                    return count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 80, count: 200))
        #expect(try results().count == 0)
    }

    @Test func aQueryThatCannotWaitIsRefused() async throws {
        let held = try holdAll()
        let error = #expect(throws: StoreError.self) { try query.execute() }
        #expect(error?.code == .busy && error?.hint?.contains("query.async.execute()") == true)
        // Waiting would never end: this task has them all.
        let other = await #expect(throws: StoreError.self) { try await query.async.execute() }
        #expect(other?.code == .busy && other?.message.contains("This task has 64 open results") == true)
        #expect(try results().waiting == 0)
        withExtendedLifetime(held) {}
    }

    @Test func aQueryThatFailsGivesItsTurnBack() async throws {
        let query = try database.createQuery("SELECT n FROM notes WHERE n = $n")
        query.parameters = Parameters().setInt(1, forName: "other")
        for _ in 0..<StoreLimits.openResults {
            await #expect(performing: { try await query.async.execute() }, throws: isCode(.invalidQueryParameter))
        }
        #expect(performing: { try query.execute() }, throws: isCode(.invalidQueryParameter))
        // The closures of the calls are let go on another thread.
        while try results().count > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    // MARK: Waits that end otherwise

    @Test func cancellingEndsTheWait() async throws {
        let held = try holdAll()
        let tasks = (0..<10).map { _ in Task { [query] in try await query.async.execute().readAll().count } }
        try await wait(for: 10)
        for task in tasks.dropFirst() { task.cancel() }
        try await wait(for: 1)
        for task in tasks.dropFirst() {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        for results in held { #expect(try results.readAll().count == 40) }
        #expect(try await tasks[0].value == 40)
    }

    @Test func whoIsCancelledBeforeDoesNotWait() async throws {
        let held = try holdAll()
        let task = Task { [query] in
            while !Task.isCancelled { await Task.yield() }
            return try await query.async.execute()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try results().waiting == 0)
        withExtendedLifetime(held) {}
    }

    @Test func closingEndsTheWait() async throws {
        let held = try holdAll()
        let results = try results()
        let tasks = (0..<10).map { _ in Task { [query] in try await query.async.execute() } }
        try await wait(for: 10)
        try database.close()
        for task in tasks {
            await #expect(performing: { try await task.value }, throws: isCode(.notOpen))
        }
        #expect(results.waiting == 0 && results.count == 0)
        withExtendedLifetime(held) {}
    }

    /// Without a movement for some time: two turns that are kept, and callers that wait for them.
    @Test func aWaitWithoutMovementEnds() async throws {
        let results = OpenResults(limit: 2, interval: 20)
        let kept = [try results.turnAtOnce(), try results.turnAtOnce()]
        let tasks = (0..<3).map { _ in Task { try await results.turn() } }
        for task in tasks {
            await #expect(performing: { _ = try await task.value }, throws: isCode(.busy))
        }
        #expect(results.waiting == 0 && results.count == 2)
        for turn in kept { turn.giveBack() }
        let next = try await results.turn()
        #expect(results.count == 1)
        next.giveBack()
        next.giveBack()
        #expect(results.count == 0)
    }

    /// As long as a result is read, even for long, the others wait for it.
    @Test func whoReadsIsWaitedFor() async throws {
        let results = OpenResults(limit: 2, interval: 5)
        let turn = try results.turnAtOnce()
        let isReading = Arrivals<Bool>()
        let release = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            results.reading {
                isReading.add(true)
                release.wait()
            }
        }
        _ = try await isReading.first()
        let waiter = Task { try await results.turn() }
        while results.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
        // Ten looks.
        try await Task.sleep(for: .milliseconds(50))
        #expect(results.waiting == 1)
        turn.giveBack()
        release.signal()
        try await waiter.value.giveBack()
    }
}
