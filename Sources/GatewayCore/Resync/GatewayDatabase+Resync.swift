import DocumentValues
import Foundation
import Logging
import Synchronization

/// Resync: the sync function runs again over every document, and channels and access follow.
extension GatewayDatabase {
    package var resyncStatus: ResyncStatus { resync.withLock { $0.status } }

    /// Begins, and returns at once. 503 unless the database is offline.
    package func startResync(_ request: ResyncRequest) throws -> ResyncStatus {
        let setup = setup
        let wanted = request.collections ?? collections
        let chosen = try wanted.map { name throws(GatewayError) in
            guard let collection = setup.collections[name] else {
                throw GatewayError(404, "keyspace \(self.name).\(name) not found")
            }
            return collection
        }
        try status.withLock { status throws(GatewayError) in
            switch status.state {
            case .offline: status.state = .resyncing
            case .resyncing: throw .resyncRuns
            case .online:
                throw GatewayError(503, "Database must be _offline before calling /_resync")
            }
        }
        let begun = ResyncStatus(
            state: .running, id: UUID().uuidString.lowercased(), startTime: ConfigurationTimes.text(now),
            collections: wanted)
        resync.withLock { $0.status = begun }
        let run = ResyncRun(database: self, setup: setup, collections: chosen, movesAll: request.movesAll)
        environment.jobs.start { await self.finishResync { try await run.run() } }
        return begun
    }

    package func stopResync() throws -> ResyncStatus {
        try resync.withLock { resync throws(GatewayError) in
            guard !resync.status.isOver else { throw GatewayError(400, "Database _resync is not running") }
            resync.status.state = .stopping
            return resync.status
        }
    }

    private func finishResync(_ body: () async throws -> Void) async {
        var failure: GatewayError?
        do { try await body() } catch { failure = GatewayError(error) }
        status.withLock { if $0.state == .resyncing { $0.state = .offline } }
        let waiting = resync.withLock { resync in
            resync.status.lastError = failure?.reason ?? ""
            resync.status.state =
                failure != nil ? .error : resync.status.state == .stopping ? .stopped : .completed
            defer { resync.waiting = [] }
            return resync.waiting
        }
        for waiter in waiting { waiter.finish() }
        if let failure {
            environment.logger.error("A resync failed", metadata: ["db": "\(name)", "error": "\(failure)"])
        }
    }

    /// Returns when no resync runs.
    func waitForResync() async throws {
        let (end, waiter) = AsyncStream<Never>.makeStream()
        resync.withLock { resync in
            if resync.status.isOver { waiter.finish() } else { resync.waiting.append(waiter) }
        }
        for await _ in end {}
        try Task.checkCancellation()
    }
}

/// A resync that runs or has run, and who waits for its end.
struct Resync: Sendable {
    var status = ResyncStatus.never
    var waiting: [AsyncStream<Never>.Continuation] = []
}

extension GatewayError {
    static let resyncRuns = GatewayError(503, "Database _resync is already in progress")
}
