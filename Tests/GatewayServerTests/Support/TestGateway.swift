import Foundation
import GatewayServer
import Logging
import ServiceLifecycle
import SyncFunction

/// A real gateway in this process, on free ports of the loopback, in a folder of its own.
struct TestGateway: Sendable {
    let publicPort: Int
    let adminPort: Int
    let metricsPort: Int
    let folder: URL
    let server: GatewayServer
    private let service: ServiceGroup

    /// As SIGTERM does.
    func shutDown() async { await service.triggerGracefulShutdown() }

    func port(_ name: String) -> Int { name == "public" ? publicPort : adminPort }

    /// Runs `body` against a new gateway and ends it.
    ///
    /// - Parameters:
    ///   - bounds: of what unfinished requests and messages take.
    ///   - log: gets the log, from `info` on.
    static func run(
        bounds: GatewayBounds = GatewayBounds(), log: LogLines? = nil,
        _ change: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (TestGateway) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gateway-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = GatewayConfiguration(storagePath: folder.path)
        let interface = GatewayConfiguration.Interface(host: "127.0.0.1", port: 0)
        configuration.publicInterface = interface
        configuration.adminInterface = interface
        configuration.metricsInterface = interface
        configuration.adminAuthentication = false
        configuration.metricsAuthentication = false
        change(&configuration)
        try await serve(configuration, folder, bounds, log, body)
    }

    private static func serve(
        _ configuration: GatewayConfiguration, _ folder: URL, _ bounds: GatewayBounds, _ log: LogLines?,
        _ body: @escaping @Sendable (TestGateway) async throws -> Void
    ) async throws {
        let counts = LogCounts()
        let logger = Logger(label: "test") { label in
            if let log {
                return ConsoleLogHandler(
                    label: label, level: ConsoleLevel(.info), format: .text, redaction: Redaction(.none)
                ) { log.add($0) }
            }
            return ConsoleLogHandler(
                label: label, level: ConsoleLevel(.none), format: .text, redaction: Redaction(.none), counts: counts)
        }
        let functions = SyncFunctionPool(executable: workerPath, logger: logger)
        defer { functions.close() }
        let (ready, announce) = AsyncStream<(GatewayPort, Int)>.makeStream()
        let server = try await GatewayServer(
            configuration: configuration, syncFunctions: functions, logger: logger, logCounts: counts,
            bounds: bounds
        ) { announce.yield(($0, $1)) }
        let service = ServiceGroup(configuration: .init(services: [.init(service: server)], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { announce.finish() }
                try await service.run()
            }
            var ports: [GatewayPort: Int] = [:]
            for await (port, number) in ready {
                ports[port] = number
                if ports.count == 3 { break }
            }
            guard let open = ports[.publicAPI], let admin = ports[.admin], let metrics = ports[.metrics] else {
                try await group.waitForAll()
                return
            }
            try await body(
                TestGateway(
                    publicPort: open, adminPort: admin, metricsPort: metrics, folder: folder, server: server,
                    service: service))
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
    }

    /// The gateway's program, which the build puts beside the tests.
    static let workerPath: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("fieldbook-gateway").path
    }()
}
