import Foundation

/// `fieldbook-bench [NAME]`: runs the benchmarks whose names begin with NAME, prints a table, and keeps the rows in a
/// file.
@main
enum Main {
    static let benchmarks: [any Benchmark.Type] = [
        PushBenchmark.self, ScriptedPushBenchmark.self, PullBenchmark.self, WireBytesBenchmark.self,
        SyncMemoryBenchmark.self,
        MillionBenchmark.self, BulkDocumentsBenchmark.self, ScriptedBulkBenchmark.self, PutBenchmark.self,
        ChangesBenchmark.self,
        CostGrowthBenchmark.self, FanOutBenchmark.self, IdleClientsBenchmark.self,
        StoreMillionBenchmark.self, BatchInsertBenchmark.self, DurableSaveBenchmark.self, StoreReadBenchmark.self,
        QueryBenchmark.self, LiveQueryBenchmark.self, DecodeBenchmark.self, StoreSizeBenchmark.self,
        BlobStreamBenchmark.self, OtherProcessBenchmark.self, EncryptionBenchmark.self,
        ShellBenchmark.self,
    ]

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if arguments.count == 2, arguments[0] == OtherProcessBenchmark.saverArgument {
                return try OtherProcessBenchmark.saveWhenAsked(in: arguments[1])
            }
            try await run(arguments.first ?? "")
        } catch {
            FileHandle.standardError.write(Data("fieldbook-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ prefix: String) async throws {
        let chosen = benchmarks.filter { benchmark in
            benchmark.names.contains { $0.hasPrefix(prefix) || prefix.hasPrefix($0) }
        }
        guard !chosen.isEmpty else { throw BenchmarkFailure("no benchmark's name begins with '\(prefix)'") }
        OpenFiles.raiseLimit()
        var results = try ResultsFile(folder: ".build/bench")
        ResultTable.printHeader()
        for benchmark in chosen {
            let rows = try await benchmark.measure()
            for row in rows { ResultTable.print(row) }
            // Stored after each benchmark, so that an interrupted run keeps its results.
            try results.put(rows)
        }
    }
}

/// A fixture and the rows that are measured on it.
protocol Benchmark: Sendable {
    static var names: [String] { get }
    static func measure() async throws -> [BenchmarkRow]
}

struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
