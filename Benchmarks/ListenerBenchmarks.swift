import Foundation

/// One write, reported to 1,000 continuous clients.
enum FanOutBenchmark: Benchmark {
    static let names = ["gateway.fanout_1000"]
    private static let listeners = 1_000
    private static let writes = 10
    private static let limit = 250.0

    static func measure() async throws -> [BenchmarkRow] {
        let gateway = try GatewayProcess()
        try gateway.makeDatabase("fanout")
        let listeners = try await Listeners(listeners, on: gateway, "fanout", since: 0)
        let user = try gateway.asUser()
        try user.expect("GET", "/fanout/")
        var percentiles: [Double] = []
        for run in 0..<Measuring.runs {
            var latencies: [Double] = []
            for write in 0..<writes {
                let index = run * writes + write
                let start = ContinuousClock.now
                try user.expect("PUT", "/fanout/\(SampleDocuments.id(index))", SampleDocuments.body(index))
                let heard = try await listeners.audience.waitForAll(Self.listeners)
                latencies += heard.map { 1_000 * ($0 - start).inSeconds }
            }
            percentiles.append(Measuring.percentile(99, of: latencies))
        }
        listeners.close()
        return [
            BenchmarkRow(
                "gateway.fanout_1000", Measuring.median(percentiles), "ms p99", .lower,
                reference: "the limit that is set", limit)
        ]
    }
}

/// The memory of a gateway with 5,000 continuous clients that have nothing to do.
enum IdleClientsBenchmark: Benchmark {
    static let names = ["gateway.idle_clients"]
    private static let clients = 5_000
    private static let limit = 1_024.0

    static func measure() async throws -> [BenchmarkRow] {
        let gateway = try GatewayProcess()
        try gateway.makeDatabase("idle")
        try Listeners.makeUsers(for: clients, on: gateway, "idle")
        try gateway.fill("idle", 0..<1_000)
        let last = try gateway.lastSequence(of: "idle")
        let listeners = try await Listeners(clients, on: gateway, "idle", since: last)
        guard listeners.audience.heardChanges == 0 else { throw BenchmarkFailure("the clients had something to do") }
        let memory = try ProcessMemory.resident(gateway.identifier)
        listeners.close()
        return [
            BenchmarkRow(
                "gateway.idle_clients", memory, "MB", .lower, reference: "the limit that is set", limit)
        ]
    }
}
