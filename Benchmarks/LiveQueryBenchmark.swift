import DocumentStore
import Foundation

/// How long after a commit a listener has the new result, and that a commit to another collection does not run the query.
enum LiveQueryBenchmark: Benchmark {
    static let names = ["store.live_query", "store.live_query_unrelated"]
    private static let runs = 9
    private static let unrelatedRuns = 5
    /// Longer than the quarter of a second in which a query runs once.
    private static let rest = Duration.milliseconds(300)

    static func measure() async throws -> [BenchmarkRow] {
        let sides = try StoreSides()
        try sides.makeIndex(of: "reference")
        return [try await latencyRow(sides), try await unrelatedRow(sides)]
    }

    // MARK: Latency

    private static func latencyRow(_ sides: StoreSides) async throws -> BenchmarkRow {
        let query = try sides.store.database.createQuery(
            "SELECT META().id, number FROM inspections WHERE reference > '8' ORDER BY reference LIMIT 100")
        guard let id = try query.execute().next()?.string(at: 0) else { throw BenchmarkFailure("the query has no row") }
        let audience = Audience()
        let token = query.addChangeListener { change in
            if change.results?.allResults().count == 100 { audience.heard() }
        }
        defer { token.remove() }
        _ = try await audience.waitForAll(1)
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for number in 0..<runs {
            try await Task.sleep(for: rest)
            try change(id, to: -1 - number, in: sides.store.inspections)
            let start = ContinuousClock.now
            ours += try await audience.waitForAll(1).map { 1_000 * ($0 - start).inSeconds }
            theirs.append(try rawLatency(sides.raw, id: id, number: -1 - number))
        }
        return BenchmarkRow(
            "store.live_query", Measuring.median(ours), "ms", .lower, reference: "SQLite running the query once more",
            Measuring.median(theirs))
    }

    private static func change(_ id: String, to number: Int, in collection: DocumentStore.Collection) throws {
        guard let document = try collection.document(id: id) else { throw BenchmarkFailure("\(id) is not there") }
        try collection.save(document: document.toMutable().setInt(number, forKey: "number"))
    }

    private static func rawLatency(_ raw: RawSQLite, id: String, number: Int) throws -> Double {
        try raw.execute("UPDATE texts SET body = json_set(body, '$.number', \(number)) WHERE id = '\(id)'")
        return 1_000
            * (try Measuring.seconds {
                let rows = try raw.readRows(
                    """
                    SELECT id, json_extract(body, '$.number') FROM texts WHERE json_extract(body, '$.reference') > '8'
                    ORDER BY json_extract(body, '$.reference') LIMIT 100
                    """)
                guard rows == 100 else { throw BenchmarkFailure("SQLite has \(rows) rows") }
            })
    }

    // MARK: Other collections

    /// The computing time after a commit shows whether the query has run, because the query reads all documents.
    private static func unrelatedRow(_ sides: StoreSides) async throws -> BenchmarkRow {
        let (inspections, id) = (sides.store.inspections, SampleDocuments.id(0))
        let others = try sides.store.database.createCollection(name: "others")
        let audience = Audience()
        let query = try sides.store.database.createQuery("SELECT SUM(number) FROM inspections WHERE temperature > -1")
        let token = query.addChangeListener { _ in audience.heard() }
        defer { token.remove() }
        _ = try await audience.waitForAll(1)
        var (unrelated, related): ([Double], [Double]) = ([], [])
        for number in 0..<unrelatedRuns {
            unrelated.append(
                try await work {
                    try others.save(document: MutableDocument(id: id).setInt(number, forKey: "number"))
                })
            related.append(try await work { try change(id, to: -1 - number, in: inspections) })
            _ = try await audience.waitForAll(1)
        }
        let (value, reference) = (Measuring.median(unrelated), Measuring.median(related))
        guard value < reference / 2 else {
            throw BenchmarkFailure("a commit to another collection takes \(value) ms of work: the query runs")
        }
        return BenchmarkRow(
            "store.live_query_unrelated", value, "ms CPU", .lower, reference: "a commit that the query reads",
            reference)
    }

    /// Milliseconds of work of all threads for a commit and its consequences, with the query resting before.
    private static func work(commit: () throws -> Void) async throws -> Double {
        try await Task.sleep(for: rest)
        let start = ProcessorTime.seconds()
        try commit()
        try await Task.sleep(for: rest)
        return 1_000 * (ProcessorTime.seconds() - start)
    }
}
