import DocumentStore
import Foundation

/// Effects that only many documents show: 1,000,000 of them are saved, 10,000 a transaction, and the database is opened.
enum StoreMillionBenchmark: Benchmark {
    static let names = ["store.insert_growth", "store.insert_memory", "store.open"]
    private static let count = 1_000_000
    private static let few = 10_000
    private static let openings = 9

    static func measure() async throws -> [BenchmarkRow] {
        let small = try (0..<Measuring.runs).map { _ in try insertion(of: few, into: StoreDatabase()) }
        let store = try StoreDatabase()
        let large = try insertion(of: count, into: store)
        return [
            BenchmarkRow(
                "store.insert_growth", large.rate, "docs/s", .higher, reference: "the same with 10,000 documents",
                Measuring.median(small.map(\.rate))),
            BenchmarkRow(
                "store.insert_memory", large.peak, "MB", .lower, reference: "the same with 10,000 documents",
                Measuring.median(small.map(\.peak))),
            try openRow(store),
        ]
    }

    // MARK: Saving

    private struct Insertion {
        /// Documents a second.
        let rate: Double
        /// Megabytes in RAM at most.
        let peak: Double
    }

    private static func insertion(of count: Int, into store: StoreDatabase) throws -> Insertion {
        try ProcessMemory.forgetPeak()
        var seconds = 0.0
        for start in stride(from: 0, to: count, by: few) {
            let samples = SampleDocuments.stored(start..<start + few)
            seconds += try Measuring.seconds { try store.insert(samples) }
        }
        guard store.inspections.count == UInt64(count) else {
            throw BenchmarkFailure("\(store.inspections.count) of \(count) documents were saved")
        }
        return Insertion(rate: Double(count) / seconds, peak: try ProcessMemory.peak(getpid()))
    }

    // MARK: Opening

    /// Milliseconds until a document is read. SQLite opens the same file: all its work without ours.
    private static func openRow(_ store: StoreDatabase) throws -> BenchmarkRow {
        try store.database.close()
        let table = try RawSQLite(file: store.file).text("SELECT id FROM collections WHERE name = 'inspections'")
        let id = SampleDocuments.id(count / 2)
        let (ours, theirs) = try Measuring.medians(runs: openings) {
            try openingTime(store, id: id)
        } reference: {
            try rawOpeningTime(store.file, sql: "SELECT body FROM documents_\(table) WHERE id = '\(id)'")
        }
        return BenchmarkRow("store.open", ours, "ms", .lower, reference: "raw SQLite opening the same file", theirs)
    }

    private static func openingTime(_ store: StoreDatabase, id: String) throws -> Double {
        var opened: Database?
        let seconds = try Measuring.seconds {
            let database = try Database(name: StoreDatabase.name, config: store.configuration)
            opened = database
            guard try database.collection(name: "inspections")?.document(id: id) != nil else {
                throw BenchmarkFailure("\(id) is not there")
            }
        }
        try opened?.close()
        return 1_000 * seconds
    }

    private static func rawOpeningTime(_ file: String, sql: String) throws -> Double {
        var raw: RawSQLite?
        let seconds = try Measuring.seconds {
            raw = try RawSQLite(file: file)
            _ = try raw?.text(sql)
        }
        // Closing is measured on neither side.
        return withExtendedLifetime(raw) { 1_000 * seconds }
    }
}
