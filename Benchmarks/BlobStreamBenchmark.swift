import DocumentStore
import Foundation

/// 100 MB from a file into a document's blob.
enum BlobStreamBenchmark: Benchmark {
    static let names = ["store.blob_stream"]
    private static let megabytes = 100
    private static let bytes = megabytes * 1_000_000

    static func measure() async throws -> [BenchmarkRow] {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("content")
        try makeContent(file)
        let (ours, theirs) = try Measuring.medians {
            try ourRate(file)
        } reference: {
            let raw = try RawSQLite()
            let stream = try stream(file)
            return Double(megabytes) / (try Measuring.seconds { try raw.insertBlob(stream, bytes: bytes) })
        }
        return [
            BenchmarkRow(
                "store.blob_stream", ours, "MB/s", .higher, reference: "raw SQLite's incremental blob", theirs)
        ]
    }

    private static func ourRate(_ file: URL) throws -> Double {
        let store = try StoreDatabase()
        let blob = Blob(contentType: "application/octet-stream", contentStream: try stream(file))
        let seconds = try Measuring.seconds {
            try store.inspections.save(document: MutableDocument(id: "photo").setBlob(blob, forKey: "photo"))
        }
        guard blob.length == UInt64(bytes) else { throw BenchmarkFailure("\(blob.length) bytes were stored") }
        return Double(megabytes) / seconds
    }

    private static func stream(_ file: URL) throws -> InputStream {
        guard let stream = InputStream(url: file) else { throw BenchmarkFailure("\(file.path) cannot be read") }
        return stream
    }

    private static func makeContent(_ file: URL) throws {
        let megabyte = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 7)) })
        var content = Data(capacity: bytes)
        for _ in 0..<megabytes { content.append(megabyte) }
        try content.write(to: file)
    }
}
