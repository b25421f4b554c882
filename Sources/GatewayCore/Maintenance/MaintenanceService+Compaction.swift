import DocumentValues
import Foundation
import Logging
import Synchronization

/// Compaction: does the housekeeping at once, and gives the file's free pages back to the disk.
extension MaintenanceService {
    package func compactionStatus(_ kind: CompactionStatus.Kind) -> CompactionStatus {
        compactions.withLock { $0[kind] ?? .never(kind) }
    }

    /// Begins, and returns at once. One of each kind runs at a time.
    package func startCompaction(_ kind: CompactionStatus.Kind) throws -> CompactionStatus {
        let begun = CompactionStatus(
            kind: kind, state: .running, id: UUID().uuidString.lowercased(), startTime: ConfigurationTimes.text(now))
        try compactions.withLock { compactions throws(GatewayError) in
            guard compactions[kind]?.isOver ?? true else {
                throw GatewayError.compactionRunsAlready
            }
            compactions[kind] = begun
        }
        environment.jobs.start { await self.finishCompaction(kind) { try await self.compact(kind) } }
        return begun
    }

    package func stopCompaction(_ kind: CompactionStatus.Kind) throws -> CompactionStatus {
        try compactions.withLock { compactions throws(GatewayError) in
            guard let status = compactions[kind], !status.isOver else {
                switch kind {
                case .tombstone: throw GatewayError.compactionIsNotRunning
                case .attachment: throw GatewayError.compactionHasStopped
                }
            }
            compactions[kind]?.state = .stopping
            return compactions[kind] ?? status
        }
    }

    private func finishCompaction(_ kind: CompactionStatus.Kind, body: () async throws -> Void) async {
        var failure: GatewayError?
        do { try await body() } catch { failure = GatewayError(error) }
        compactions.withLock { compactions in
            compactions[kind]?.lastError = failure?.reason ?? ""
            let isStopped = compactions[kind]?.state == .stopping
            compactions[kind]?.state = failure != nil ? .error : isStopped ? .stopped : .completed
        }
        if let failure {
            environment.logger.error("A compaction failed", metadata: ["db": "\(name)", "error": "\(failure)"])
        }
    }

    /// Works in small transactions, between which it can be stopped; finished ones stay. If the disk has no room for the
    /// last step, the file keeps its size, which new documents can use, and the compaction ends with that error. It is the
    /// same if a full disk prevents emptying the log.
    private func compact(_ kind: CompactionStatus.Kind) async throws {
        while try isCompacting(kind), try await documents.forgetOldRevisions() {}
        var isMore = true
        while try isMore && isCompacting(kind) {
            let forgotten = try await documents.forgetReplacedAttachments(dueBy: kind == .attachment ? .max : now)
            isMore = forgotten.mayBeMore
            compactions.withLock { $0[kind]?.purgedAttachments += forgotten.count }
        }
        try await documents.removeOutdated()
        guard try isCompacting(kind) else { return }
        guard let upkeep = documents.store.upkeep else { return }
        let lacking = try await upkeep.emptyLogIfDiskIsFull()
        try await upkeep.giveBackFreePages(freeSpace: environment.freeSpace)
        guard lacking <= 0 else {
            throw GatewayError.noRoomForLog(lacking: lacking)
        }
    }

    private func isCompacting(_ kind: CompactionStatus.Kind) throws -> Bool {
        try Task.checkCancellation()
        return compactionStatus(kind).state == .running
    }
}
