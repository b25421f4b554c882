import DocumentStore

/// 50,000 documents by their ids, in no order: as documents of which a member is asked, and as their JSON.
enum StoreReadBenchmark: Benchmark {
    static let names = ["store.read_by_id", "store.read_json"]
    /// Has no divisor in common with the number of documents, so that its multiples come to each of them.
    private static let step = 7_919

    static func measure() async throws -> [BenchmarkRow] {
        let sides = try StoreSides()
        let inspections = sides.store.inspections
        return [
            try row("store.read_by_id", raw: sides.raw) { id in
                try inspections.document(id: id)?["number"].exists ?? false
            },
            try row("store.read_json", raw: sides.raw) { id in
                try inspections.document(id: id)?.toJSON().utf8.count == SampleDocuments.storedBytes
            },
        ]
    }

    /// Documents a second, of which each has to be found.
    private static func row(_ name: String, raw: RawSQLite, isFound: (String) throws -> Bool) throws -> BenchmarkRow {
        let ids = (0..<StoreSides.count).map { SampleDocuments.id($0 * step % StoreSides.count) }
        let (ours, theirs) = try Measuring.medians {
            try rate(ids.count) { try ids.reduce(0) { count, id in try isFound(id) ? count + 1 : count } }
        } reference: {
            try rate(ids.count) { try raw.readTexts(ids: ids) }
        }
        return BenchmarkRow(
            name, ours, "docs/s", .higher, reference: "raw SQLite reading the same texts by id", theirs)
    }

    private static func rate(_ count: Int, found: () throws -> Int) throws -> Double {
        var documents = 0
        let seconds = try Measuring.seconds { documents = try found() }
        guard documents == count else { throw BenchmarkFailure("\(documents) of \(count) documents were found") }
        return Double(count) / seconds
    }
}
