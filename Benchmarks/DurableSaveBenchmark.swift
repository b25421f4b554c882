import DocumentStore
import DocumentValues

/// One document a transaction: a person's save, a pulled document, and both with `fullSync`, to show the cost of each
/// setting.
enum DurableSaveBenchmark: Benchmark {
    static let names = [
        "store.durable_save", "store.durable_save_full", "store.durable_save_pulled", "store.durable_save_pulled_full",
    ]
    private static let count = 500

    static func measure() async throws -> [BenchmarkRow] {
        [
            try saveRow("store.durable_save", fullSync: false),
            try saveRow("store.durable_save_full", fullSync: true),
            try pullRow("store.durable_save_pulled", fullSync: false),
            try pullRow("store.durable_save_pulled_full", fullSync: true),
        ]
    }

    private static func saveRow(_ name: String, fullSync: Bool) throws -> BenchmarkRow {
        let store = try StoreDatabase(fullSync: fullSync)
        return try row(name, synchronous: "FULL") { id, body in
            try store.inspections.save(
                document: MutableDocument(id: id, json: String(decoding: body, as: UTF8.self)))
        }
    }

    /// With `fullSync` off, pulled documents survive the end of the process; after a power cut they are pulled again.
    private static func pullRow(_ name: String, fullSync: Bool) throws -> BenchmarkRow {
        let store = try StoreDatabase(fullSync: fullSync)
        let remote = try ReplicationStore(database: store.database, remote: "bench")
        let collection = store.inspections.collectionName
        return try row(name, synchronous: fullSync ? "FULL" : "NORMAL") { id, body in
            let pulled = PulledRevision(
                documentID: id, revision: RevisionID(generation: 1, digest: "ab"), history: RevisionHistory(),
                isDeleted: false, body: try DocumentBody(scanned: body))
            guard case .inserted? = try remote.insert([pulled], in: collection).first else {
                throw BenchmarkFailure("\(id) was not stored")
            }
        }
    }

    /// Milliseconds of the median transaction.
    private static func row(
        _ name: String, synchronous: String, save: (_ id: String, _ body: [UInt8]) throws -> Void
    ) throws -> BenchmarkRow {
        let raw = try RawSQLite()
        try raw.execute("PRAGMA synchronous = \(synchronous)")
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for document in SampleDocuments.stored(0..<count) {
            ours.append(1_000 * (try Measuring.seconds { try save(document.id, document.body) }))
            theirs.append(1_000 * (try Measuring.seconds { try raw.insert([document], perTransaction: 1) }))
        }
        return BenchmarkRow(
            name, Measuring.median(ours), "ms", .lower,
            reference: "raw SQLite inserting one document a transaction, synchronous \(synchronous)",
            Measuring.median(theirs))
    }
}
