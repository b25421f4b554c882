import ArgumentParser
import DocumentValues
import Fieldbook
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// One run of a replicator in the foreground, its events reported as they come.
struct ReplicationRun {
    private let options: ReplicationOptions
    private let type: ReplicatorType

    init(_ options: ReplicationOptions, type: ReplicatorType) {
        self.options = options
        self.type = type
    }

    func run() async throws {
        let started = ContinuousClock.now
        let files = try options.files()
        let database = try options.folder.open(creates: type != .push)
        options.warnOfUnprotectedPassword()
        let configuration = try options.configuration(type, database: database, files: files)
        try configuration.validate()
        let replicator = Replicator(config: configuration)
        let events = ReplicationEvents(isJSON: options.json)
        let tokens = events.listen(to: replicator)
        defer { for token in tokens { token.remove() } }
        let failure = await run(replicator)
        events.finish(after: ContinuousClock.now - started)
        try database.close()
        if let failure {
            if options.json { throw ExitCode.failure }
            throw CommandFailure(ReplicationEvents.text(failure).printableLine)
        }
    }

    /// Runs the replicator until it ends by itself, or until SIGTERM or SIGINT.
    private func run(_ replicator: Replicator) async -> (any Error)? {
        let service = ReplicatorService(replicator: replicator, resets: options.reset)
        var settings = ServiceGroupConfiguration(
            services: [
                .init(
                    service: service, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            ], gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger(label: "fieldbook.db"))
        settings.maximumGracefulShutdownDuration = .seconds(10)
        do {
            try await ServiceGroup(configuration: settings).run()
            return nil
        } catch {
            return error
        }
    }
}

/// A replicator that may begin with a reset.
private struct ReplicatorService: Service {
    let replicator: Replicator
    let resets: Bool

    func run() async throws { try await replicator.run(reset: resets) }
}
