import DocumentStore

/// 50,000 documents in one transaction.
enum BatchInsertBenchmark: Benchmark {
    static let names = ["store.batch_insert"]

    static func measure() async throws -> [BenchmarkRow] {
        let samples = SampleDocuments.stored(0..<StoreSides.count)
        let (ours, theirs) = try Measuring.medians {
            let store = try StoreDatabase()
            return Double(samples.count) / (try Measuring.seconds { try store.insert(samples) })
        } reference: {
            try RawSQLite.insertRate(samples, perTransaction: samples.count)
        }
        return [
            BenchmarkRow("store.batch_insert", ours, "docs/s", .higher, reference: RawSQLite.reference, theirs)
        ]
    }
}
