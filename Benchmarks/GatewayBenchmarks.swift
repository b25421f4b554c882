import Foundation

/// 20,000 documents by `_bulk_docs`, and the memory that the gateway then takes.
enum BulkDocumentsBenchmark: Benchmark {
    static let names = ["gateway.bulk_docs", "gateway.memory_20k"]
    private static let stockMemory = 147.0

    static func measure() async throws -> [BenchmarkRow] {
        let runs = try BulkRuns(syncFunction: GatewayProcess.syncFunction)
        return [
            runs.row("gateway.bulk_docs"),
            BenchmarkRow(
                "gateway.memory_20k", Measuring.median(runs.memory), "MB", .lower,
                reference: "stock Sync Gateway in memory (recorded)", stockMemory),
        ]
    }
}

/// The same with a sync function that only the script engine understands.
enum ScriptedBulkBenchmark: Benchmark {
    static let names = ["gateway.bulk_docs_scripted"]

    static func measure() async throws -> [BenchmarkRow] {
        [try BulkRuns(syncFunction: GatewayProcess.scriptedFunction).row("gateway.bulk_docs_scripted")]
    }
}

private struct BulkRuns {
    private static let count = 20_000
    private var rates: [Double] = []
    private var raw: [Double] = []
    private(set) var memory: [Double] = []

    init(syncFunction: String) throws {
        let documents = SampleDocuments.documents(0..<Self.count)
        let requests = stride(from: 0, to: Self.count, by: 1_000).map { SampleDocuments.bulkRequest($0..<$0 + 1_000) }
        for _ in 0..<Measuring.runs {
            raw.append(try RawSQLite.insertRate(documents))
            let gateway = try GatewayProcess()
            try gateway.makeDatabase("bulk", syncFunction: syncFunction)
            let user = try gateway.asUser()
            // The first login pays for the password's hash.
            try user.expect("GET", "/bulk/")
            let seconds = try Measuring.seconds {
                for request in requests { try user.expect("POST", "/bulk/_bulk_docs", request) }
            }
            rates.append(Double(Self.count) / seconds)
            // Before any other request to it.
            memory.append(try ProcessMemory.resident(gateway.identifier))
            try gateway.check("bulk", holds: Self.count)
        }
    }

    func row(_ name: String) -> BenchmarkRow {
        BenchmarkRow(
            name, Measuring.median(rates), "docs/s", .higher, reference: RawSQLite.reference, Measuring.median(raw))
    }
}

/// One document a request, one request after the other.
enum PutBenchmark: Benchmark {
    static let names = ["gateway.put"]
    private static let count = 1_000

    static func measure() async throws -> [BenchmarkRow] {
        let documents = SampleDocuments.documents(0..<count)
        let gateway = try GatewayProcess()
        var times: [Double] = []
        var raw: [Double] = []
        for run in 0..<Measuring.runs {
            raw.append(1_000 * (try RawSQLite.commitTime(documents)))
            try gateway.makeDatabase("put\(run)")
            let user = try gateway.asUser()
            try user.expect("GET", "/put\(run)/")
            times += try documents.map { document in
                1_000 * (try Measuring.seconds { try user.expect("PUT", "/put\(run)/\(document.id)", document.body) })
            }
        }
        return [
            BenchmarkRow(
                "gateway.put", Measuring.median(times), "ms", .lower,
                reference: "raw SQLite inserting one document a transaction", Measuring.median(raw))
        ]
    }
}

/// All 20,000 rows of a user's `_changes`.
enum ChangesBenchmark: Benchmark {
    static let names = ["gateway.changes_20k"]
    private static let count = 20_000

    static func measure() async throws -> [BenchmarkRow] {
        let raw = try RawSQLite()
        try raw.insert(SampleDocuments.documents(0..<count), perTransaction: 1_000)
        let gateway = try GatewayProcess()
        try gateway.makeDatabase("changes")
        try gateway.fill("changes", 0..<count)
        let user = try gateway.asUser()
        try user.expect("GET", "/changes/")
        var times: [Double] = []
        var rawTimes: [Double] = []
        for _ in 0..<5 {
            rawTimes.append(try Measuring.seconds { _ = try raw.readIDs() })
            times.append(try Measuring.seconds { try user.expect("GET", "/changes/_changes") })
        }
        return [
            BenchmarkRow(
                "gateway.changes_20k", Measuring.median(times), "s", .lower,
                reference: "raw SQLite reading the ids in the order of their sequences", Measuring.median(rawTimes))
        ]
    }
}

/// The cost of a change, written and read from the feed, beside many documents and beside few.
enum CostGrowthBenchmark: Benchmark {
    static let names = ["gateway.cost_growth"]
    private static let few = 1_000
    private static let many = 100_000
    private static let changes = 1_000

    static func measure() async throws -> [BenchmarkRow] {
        let gateway = try GatewayProcess()
        for (name, count) in [("few", few), ("many", many)] {
            try gateway.makeDatabase(name)
            try gateway.fill(name, 0..<count)
        }
        var besideFew: [Double] = []
        var besideMany: [Double] = []
        // In turns, so that other work of the machine affects both.
        for run in 0..<5 {
            let first = 1_000_000 + run * changes
            besideFew.append(try cost(gateway, "few", first))
            besideMany.append(try cost(gateway, "many", first))
        }
        return [
            BenchmarkRow(
                "gateway.cost_growth", Measuring.median(besideMany), "µs/change", .lower,
                reference: "beside 1,000 documents instead of 100,000", Measuring.median(besideFew))
        ]
    }

    private static func cost(_ gateway: GatewayProcess, _ name: String, _ first: Int) throws -> Double {
        let user = try gateway.asUser()
        let since = try gateway.lastSequence(of: name)
        let request = SampleDocuments.bulkRequest(first..<first + changes)
        let seconds = try Measuring.seconds {
            try user.expect("POST", "/\(name)/_bulk_docs", request)
            try user.expect("GET", "/\(name)/_changes?since=\(since)")
        }
        return 1e6 * seconds / Double(changes)
    }
}
