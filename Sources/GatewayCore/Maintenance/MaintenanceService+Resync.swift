import DocumentValues
import Foundation
import Logging
import Synchronization

/// Resync: the sync function runs again over every document, and updates channels and access.
extension MaintenanceService {
    package var resyncStatus: ResyncStatus { resync.withLock { $0 } }

    /// Begins, and returns at once. 503 unless the database is offline.
    package func startResync(_ request: ResyncRequest) throws -> ResyncStatus {
        let (setup, chosen) = try enterResync(of: request.collections)
        let begun = ResyncStatus(
            state: .running, id: UUID().uuidString.lowercased(), startTime: ConfigurationTimes.text(now),
            collections: chosen.map(\.name))
        resync.withLock { $0 = begun }
        let run = ResyncRun(
            service: self, setup: setup, collections: chosen, movesAll: request.movesAll,
            isForced: request.isForced)
        environment.jobs.start { await self.finishResync { try await run.run() } }
        return begun
    }

    /// From here on the configuration cannot change.
    private func enterResync(
        of wanted: [CollectionName]?
    ) throws(GatewayError) -> (DatabaseSetup, [DatabaseSetup.Collection]) {
        try status.update { [name = self.name] status throws(GatewayError) in
            let setup = status.setup
            let chosen = try (wanted ?? setup.collections.keys.sorted()).map { wanted throws(GatewayError) in
                guard let collection = setup.collections[wanted] else {
                    throw GatewayError.noSuchKeyspace("\(name).\(wanted)")
                }
                return collection
            }
            switch status.state {
            case .offline where status.isBeingConfigured: throw .configurationHasChanged
            case .offline: status.state = .resyncing
            case .resyncing: throw .resyncRunsAlready
            case .online:
                throw GatewayError.resyncNeedsOffline
            }
            return (setup, chosen)
        }
    }

    package func stopResync() throws -> ResyncStatus {
        try resync.withLock { status throws(GatewayError) in
            guard !status.isOver else { throw GatewayError.resyncIsNotRunning }
            status.state = .stopping
            return status
        }
    }

    /// When this run is reported as ended, the database must already have its new state, and the next run must be able
    /// to begin.
    private func endResync(_ failure: GatewayError?) -> ResyncStatus {
        resync.withLock { run in
            if let failure { run.lastError = failure.reason }
            run.state = failure != nil ? .error : run.state == .stopping ? .stopped : .completed
            status.update { if $0.state == .resyncing { $0.state = .offline } }
            return run
        }
    }

    private func finishResync(_ body: () async throws -> Void) async {
        var failure: GatewayError?
        do { try await body() } catch { failure = GatewayError(error) }
        let end = endResync(failure)
        if let warning = end.warning {
            environment.logger.warning(
                "A resync took documents out of all channels: \(warning)", metadata: ["db": "\(name)"])
        }
        if failure == nil, end.errored > 0 {
            environment.logger.warning(
                "A resync left documents in their channels, and with their grants",
                metadata: ["db": "\(name)", "documents": "\(end.errored)", "detail": "\(end.lastError)"])
        }
        if let failure {
            environment.logger.error("A resync failed", metadata: ["db": "\(name)", "error": "\(failure)"])
        }
    }
}
