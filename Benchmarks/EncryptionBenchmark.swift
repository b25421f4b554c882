import DocumentStore
import Foundation

/// The same 50,000 documents in an encrypted database and in a plain one of ours: saved in one transaction, found by a query
/// that reads all of them, and written again with another key.
enum EncryptionBenchmark: Benchmark {
    static let names = ["store.encrypted_insert", "store.encrypted_scan", "store.encrypted_key_change"]
    private static let keys = [UInt8(1), 2].map { EncryptionKey.key(Data(repeating: $0, count: 32)) }

    static func measure() async throws -> [BenchmarkRow] {
        let samples = SampleDocuments.stored(0..<StoreSides.count)
        return [try insert(samples), try scan(samples), try keyChange(samples)]
    }

    private static func insert(_ samples: [(id: String, body: [UInt8])]) throws -> BenchmarkRow {
        func rate(_ key: EncryptionKey?) throws -> Double {
            let store = try StoreDatabase(key: key)
            return Double(samples.count) / (try Measuring.seconds { try store.insert(samples) })
        }
        let (ours, theirs) = try Measuring.medians {
            try rate(keys[0])
        } reference: {
            try rate(nil)
        }
        return BenchmarkRow(
            "store.encrypted_insert", ours, "docs/s", .higher, reference: "a plain database of ours", theirs)
    }

    private static func scan(_ samples: [(id: String, body: [UInt8])]) throws -> BenchmarkRow {
        let (encrypted, plain) = (try StoreDatabase(key: keys[0]), try StoreDatabase())
        for store in [encrypted, plain] { try store.insert(samples) }
        func seconds(_ store: StoreDatabase) throws -> Double {
            // None has it: all documents are read.
            let query = try store.database.createQuery("SELECT number FROM inspections WHERE absent = 1")
            return try Measuring.seconds { _ = try query.execute().allResults() }
        }
        let (ours, theirs) = try Measuring.medians {
            try seconds(encrypted)
        } reference: {
            try seconds(plain)
        }
        return BenchmarkRow("store.encrypted_scan", ours, "s", .lower, reference: "a plain database of ours", theirs)
    }

    private static func keyChange(_ samples: [(id: String, body: [UInt8])]) throws -> BenchmarkRow {
        let (encrypted, plain) = (try StoreDatabase(key: keys[0]), try StoreDatabase())
        for store in [encrypted, plain] { try store.insert(samples) }
        var round = 0
        let (ours, theirs) = try Measuring.medians {
            round += 1
            return try Measuring.seconds { try encrypted.database.changeEncryptionKey(keys[round % 2]) }
        } reference: {
            try Measuring.seconds { try plain.database.performMaintenance(type: .compact) }
        }
        return BenchmarkRow(
            "store.encrypted_key_change", ours, "s", .lower, reference: "compacting a plain database of ours", theirs)
    }
}
