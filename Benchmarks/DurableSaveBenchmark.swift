import DocumentStore
import DocumentValues

/// One document a transaction: a person's save and a pulled document, with each durability, to show its cost.
enum DurableSaveBenchmark: Benchmark {
    static let names = [
        "store.durable_save", "store.durable_save_full", "store.durable_save_deferred", "store.durable_save_pulled",
        "store.durable_save_pulled_full",
    ]
    private static let count = 500

    static func measure() async throws -> [BenchmarkRow] {
        [
            try saveRow("store.durable_save", durability: .immediate),
            try saveRow("store.durable_save_full", durability: .full),
            try saveRow("store.durable_save_deferred", durability: .deferred),
            try pullRow("store.durable_save_pulled", durability: .immediate),
            try pullRow("store.durable_save_pulled_full", durability: .full),
        ]
    }

    private static func saveRow(_ name: String, durability: DatabaseConfiguration.Durability) throws -> BenchmarkRow {
        let store = try StoreDatabase(durability: durability)
        return try row(name, synchronous: durability == .deferred ? "NORMAL" : "FULL") { id, body in
            try store.inspections.save(
                document: MutableDocument(id: id, json: String(decoding: body, as: UTF8.self)))
        }
    }

    /// Only with `.full` does a pulled document wait for the disk; otherwise it survives the end of the process, and after a
    /// power cut it is pulled again.
    private static func pullRow(_ name: String, durability: DatabaseConfiguration.Durability) throws -> BenchmarkRow {
        let store = try StoreDatabase(durability: durability)
        let remote = try ReplicationStore(database: store.database, remote: "bench")
        let collection = store.inspections.collectionName
        return try row(name, synchronous: durability == .full ? "FULL" : "NORMAL") { id, body in
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
