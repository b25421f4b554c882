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
        commandName: "serve", abstract: "Runs the gateway until SIGTERM; a second one ends it at once.",
        discussion: """
            SIGHUP makes the gateway read its certificate again, which it also does within ten seconds of a change, and \
            open the audit log again.

            These environment variables replace settings of the configuration; values are written as in YAML:

            \(ConfigurationVariable.all.map { "  \($0.name)" }.joined(separator: "\n"))

            Example:  fieldbook-gateway serve --config gateway.yaml
            """)

    @Option(help: "The configuration, YAML or JSON; 'fieldbook-gateway init' writes one.")
    var config: String

    @Flag(
        help: """
            Only check whether the configuration, its files and folders, and the databases are usable: damaged databases and \
            those of another account are named, with exit status 1. It reads each database as a whole.
            """)
    var check = false

    func run() async throws {
        do {
            let configuration = try GatewayConfiguration(file: config)
            if check {
                for remark in try ConfigurationCheck.run(configuration) { Output.line("Note: \(remark)") }
                Output.line("\(config) is usable")
                return
            }
            try await serve(configuration)
        } catch let error as ConfigurationError {
            throw Failure("\(error)")
        }
    }

    private func serve(_ configuration: GatewayConfiguration) async throws {
        OpenFiles.raiseLimit()
        let level = ConsoleLevel(configuration.logging.level)
        let counts = LogCounts()
        let logger = Self.logger(configuration.logging, level: level, counts: counts)
        if let remark = configuration.remarkOnPassedOver { logger.notice("\(remark)") }
        let functions = SyncFunctionPool(logger: logger)
        defer { functions.close() }
        let server = try await GatewayServer(
            configuration: configuration, syncFunctions: functions, logger: logger, logLevel: level,
            logCounts: counts
        ) { port, number in
            logger.info("Listening", metadata: ["interface": "\(port.name)", "port": "\(number)"])
        }
        // Services end in the reverse order.
        let services: [any Service] = [
            SyncFunctionsEnd(functions: functions), server, HangUp { server.reload() },
        ]
        var settings = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        settings.maximumGracefulShutdownDuration = .seconds(10)
        SecondSignal.endsTheProcess()
        do {
            try await ServiceGroup(configuration: settings).run()
        } catch is CancellationError {
            // The ten seconds are over, and unfinished work was cancelled: this is a normal shutdown, too.
        }
    }

    private static func logger(_ logging: LoggingConfiguration, level: ConsoleLevel, counts: LogCounts) -> Logger {
        let redaction = Redaction(logging.redaction)
        LoggingSystem.bootstrap { label in
            ConsoleLogHandler(
                label: label, level: level, format: logging.format, redaction: redaction, counts: counts)
        }
        return Logger(label: "fieldbook-gateway")
    }
}

/// A message for a person on standard error; exit status 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
