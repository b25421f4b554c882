import ArgumentParser
import Foundation
import GatewayServer
import Glibc
import Logging
import ServiceLifecycle
import SyncFunction
import UnixSignals

/// `fieldbook-gateway serve`
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Runs the gateway until SIGTERM; a second one ends it at once.")

    @Option(help: "The configuration, YAML or JSON; 'fieldbook-gateway init' writes one.")
    var config: String

    @Flag(help: "Only look whether the configuration is usable.")
    var check = false

    func run() async throws {
        let configuration: GatewayConfiguration
        do {
            configuration = try GatewayConfiguration(file: config)
        } catch {
            throw Failure("\(error)")
        }
        if check {
            print("\(config) is usable")
            return
        }
        let logger = Self.logger(level: configuration.logLevel)
        let functions = SyncFunctionPool(logger: logger)
        defer { functions.close() }
        do {
            let server = try await GatewayServer(
                configuration: configuration, syncFunctions: functions, logger: logger
            ) { port, number in
                logger.info("Listening", metadata: ["interface": "\(port)", "port": "\(number)"])
            }
            try await serve(server, logger)
        } catch let error as ConfigurationError {
            throw Failure("\(error)")
        }
    }

    private func serve(_ server: GatewayServer, _ logger: Logger) async throws {
        var settings = ServiceGroupConfiguration(
            services: [.init(service: server)], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        settings.maximumGracefulShutdownDuration = .seconds(10)
        SecondSignal.endsTheProcess()
        try await ServiceGroup(configuration: settings).run()
    }

    private static func logger(level: String) -> Logger {
        LoggingSystem.bootstrap(StreamLogHandler.standardError(label:))
        var logger = Logger(label: "fieldbook-gateway")
        switch level {
        case "trace": logger.logLevel = .trace
        case "debug": logger.logLevel = .debug
        case "warn", "warning": logger.logLevel = .warning
        case "error", "none": logger.logLevel = .error
        default: logger.logLevel = .info
        }
        return logger
    }
}

/// The first SIGTERM is for the service group; a second one ends the program where it stands.
enum SecondSignal {
    /// Lives as long as the process; its handler runs on one queue.
    nonisolated(unsafe) private static let source = DispatchSource.makeSignalSource(
        signal: SIGTERM, queue: DispatchQueue(label: "second-signal"))

    static func endsTheProcess() {
        nonisolated(unsafe) var count = 0
        source.setEventHandler {
            count += 1
            if count > 1 { _exit(1) }
        }
        source.resume()
    }
}

/// A message for a person on standard error; exit status 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
