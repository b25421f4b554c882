import DocumentStore
import Foundation

/// All of 50,000 documents as values of a type.
enum DecodeBenchmark: Benchmark {
    static let names = ["store.decode"]

    static func measure() async throws -> [BenchmarkRow] {
        let sides = try StoreSides()
        let query = try sides.store.database.createQuery("SELECT * FROM inspections")
        let (ours, theirs) = try Measuring.medians {
            try rate { try query.execute().data(as: DecodedInspection.self, dataKey: "inspections") }
        } reference: {
            try rate { try decoded(sides.raw) }
        }
        return [
            BenchmarkRow(
                "store.decode", ours, "docs/s", .higher, reference: "SQLite's texts with Foundation's JSONDecoder",
                theirs)
        ]
    }

    private static func decoded(_ raw: RawSQLite) throws -> [DecodedInspection] {
        let decoder = JSONDecoder()
        var values: [DecodedInspection] = []
        try raw.forEachText { values.append(try decoder.decode(DecodedInspection.self, from: $0)) }
        return values
    }

    private static func rate(_ decode: () throws -> [DecodedInspection]) throws -> Double {
        var values: [DecodedInspection] = []
        let seconds = try Measuring.seconds { values = try decode() }
        guard values.count == StoreSides.count, values.allSatisfy({ $0.type == "inspection" }) else {
            throw BenchmarkFailure("\(values.count) documents were decoded")
        }
        return Double(values.count) / seconds
    }
}

/// A document of `SampleDocuments`.
private struct DecodedInspection: Decodable {
    let type: String
    let channels: [String]
    let site: String
    let number: Int
    let inspector: String
    let status: String
    let temperature: Double
    let reference: String
    let note: String
}
