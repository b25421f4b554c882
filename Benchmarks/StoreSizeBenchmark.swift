import DocumentStore

/// The size of 50,000 documents with three indexes on the disk.
enum StoreSizeBenchmark: Benchmark {
    static let names = ["store.size"]

    static func measure() async throws -> [BenchmarkRow] {
        let sides = try StoreSides()
        for member in ["site", "reference", "temperature"] { try sides.makeIndex(of: member) }
        return [
            BenchmarkRow(
                "store.size", megabytes(try sides.store.sizeWhenClosed()), "MB", .lower,
                reference: "raw SQLite with three indexes of json_extract", megabytes(try sides.raw.size()))
        ]
    }

    private static func megabytes(_ bytes: Int) -> Double { Double(bytes) / 1_000_000 }
}
