import Foundation
import Replication

/// 10,000 documents from a laptop to an empty gateway.
enum PushBenchmark: Benchmark {
    static let names = ["sync.push_10k"]

    static func measure() async throws -> [BenchmarkRow] {
        [try await row("sync.push_10k", syncFunction: GatewayProcess.syncFunction)]
    }

    static func row(_ name: String, syncFunction: String) async throws -> BenchmarkRow {
        let documents = SampleDocuments.documents(0..<10_000)
        let gateway = try GatewayProcess()
        var rates: [Double] = []
        var raw: [Double] = []
        for run in 0..<Measuring.runs {
            let database = "push\(run)"
            try gateway.makeDatabase(database, syncFunction: syncFunction)
            let laptop = try Laptop()
            try laptop.fill(0..<documents.count)
            raw.append(try RawSQLite.insertRate(documents))
            rates.append(Double(documents.count) / (try await laptop.replicate(.push, with: gateway, database)))
            try gateway.check(database, holds: documents.count)
        }
        return BenchmarkRow(
            name, Measuring.median(rates), "docs/s", .higher, reference: RawSQLite.reference, Measuring.median(raw))
    }
}

/// The same with a sync function that only the script engine understands.
enum ScriptedPushBenchmark: Benchmark {
    static let names = ["sync.push_10k_scripted"]

    static func measure() async throws -> [BenchmarkRow] {
        [try await PushBenchmark.row("sync.push_10k_scripted", syncFunction: GatewayProcess.scriptedFunction)]
    }
}

/// 10,000 documents from the gateway to an empty laptop.
enum PullBenchmark: Benchmark {
    static let names = ["sync.pull_10k"]

    static func measure() async throws -> [BenchmarkRow] {
        let documents = SampleDocuments.documents(0..<10_000)
        let gateway = try GatewayProcess()
        try gateway.makeDatabase("pull")
        try gateway.fill("pull", 0..<documents.count)
        var rates: [Double] = []
        var raw: [Double] = []
        for _ in 0..<Measuring.runs {
            raw.append(try RawSQLite.insertRate(documents))
            let laptop = try Laptop()
            rates.append(Double(documents.count) / (try await laptop.replicate(.pull, with: gateway, "pull")))
            guard laptop.count == UInt64(documents.count) else {
                throw BenchmarkFailure("\(laptop.count) documents were pulled")
            }
        }
        return [
            BenchmarkRow(
                "sync.pull_10k", Measuring.median(rates), "docs/s", .higher, reference: RawSQLite.reference,
                Measuring.median(raw))
        ]
    }
}

extension RawSQLite {
    static let reference = "raw SQLite inserting the same documents"
}

/// Bytes on the wire for each document, both directions of both ways together.
enum WireBytesBenchmark: Benchmark {
    static let names = ["sync.wire_bytes"]

    static func measure() async throws -> [BenchmarkRow] {
        let count = 10_000
        let gateway = try GatewayProcess()
        try gateway.makeDatabase("wire")
        let sender = try Laptop()
        try sender.fill(0..<count)
        let push = try CountingRelay(to: gateway.publicPort)
        _ = try await sender.replicate(.push, port: push.port, "wire")
        let pull = try CountingRelay(to: gateway.publicPort)
        _ = try await (try Laptop()).replicate(.pull, port: pull.port, "wire")
        let perDocument = Double(max(push.bytes, pull.bytes)) / Double(count)
        return [
            BenchmarkRow(
                "sync.wire_bytes", perDocument, "bytes/doc", .lower,
                reference: "the documents' JSON (the dearer of push and pull)", Double(SampleDocuments.bytes))
        ]
    }
}

/// The most memory that the program `fieldbook` takes to pull, and to push, 20,000 documents.
enum SyncMemoryBenchmark: Benchmark {
    static let names = ["sync.memory"]
    private static let limit = 150.0

    static func measure() async throws -> [BenchmarkRow] {
        let gateway = try GatewayProcess()
        try gateway.makeDatabase("pull")
        try gateway.fill("pull", 0..<20_000)
        let sender = try TemporaryFolder()
        try CommandProcess.fill(sender.path + "/field", 0..<20_000)
        var peaks: [Double] = []
        for run in 0..<Measuring.runs {
            try gateway.makeDatabase("push\(run)")
            let receiver = try TemporaryFolder()
            let push = try CommandProcess.peak("push", sender.path + "/field", gateway, "push\(run)")
            let pull = try CommandProcess.peak("pull", receiver.path + "/field", gateway, "pull")
            peaks.append(max(push, pull))
        }
        return [
            BenchmarkRow(
                "sync.memory", Measuring.median(peaks), "MB", .lower, reference: "the limit that is set", limit)
        ]
    }
}

/// Effects that only many documents show: 1,000,000 of them are pushed, compared and pulled.
enum MillionBenchmark: Benchmark {
    static let names = ["sync.noop_1m", "sync.pull_growth", "sync.push_growth"]
    private static let count = 1_000_000
    private static let few = 10_000

    static func measure() async throws -> [BenchmarkRow] {
        let gateway = try GatewayProcess()
        let laptop = try Laptop()
        let (pushFew, pullFew) = try await fewRates(gateway)
        try gateway.makeDatabase("million")
        try laptop.fill(0..<count)
        let push = Double(count) / (try await laptop.replicate(.push, with: gateway, "million"))
        let second = try Laptop()
        let pull = Double(count) / (try await second.replicate(.pull, with: gateway, "million"))
        guard second.count == UInt64(count) else { throw BenchmarkFailure("\(second.count) documents were pulled") }
        // The first sync finds its own pushed documents; from then on there is nothing to do.
        _ = try await laptop.replicate(.pushAndPull, with: gateway, "million")
        var noop: [Double] = []
        for _ in 0..<5 { noop.append(1_000 * (try await laptop.replicate(.pushAndPull, with: gateway, "million"))) }
        let empty = try await emptySync(gateway)
        return [
            BenchmarkRow(
                "sync.noop_1m", Measuring.median(noop), "ms", .lower, reference: "the same without documents", empty),
            BenchmarkRow(
                "sync.push_growth", push, "docs/s", .higher, reference: "the same with 10,000 documents", pushFew),
            BenchmarkRow(
                "sync.pull_growth", pull, "docs/s", .higher, reference: "the same with 10,000 documents", pullFew),
        ]
    }

    private static func fewRates(_ gateway: GatewayProcess) async throws -> (push: Double, pull: Double) {
        var push: [Double] = []
        var pull: [Double] = []
        for run in 0..<Measuring.runs {
            try gateway.makeDatabase("few\(run)")
            let laptop = try Laptop()
            try laptop.fill(0..<few)
            push.append(Double(few) / (try await laptop.replicate(.push, with: gateway, "few\(run)")))
            pull.append(Double(few) / (try await (try Laptop()).replicate(.pull, with: gateway, "few\(run)")))
        }
        return (Measuring.median(push), Measuring.median(pull))
    }

    private static func emptySync(_ gateway: GatewayProcess) async throws -> Double {
        try gateway.makeDatabase("empty")
        let laptop = try Laptop()
        var times: [Double] = []
        for _ in 0..<5 { times.append(1_000 * (try await laptop.replicate(.pushAndPull, with: gateway, "empty"))) }
        return Measuring.median(times)
    }
}
