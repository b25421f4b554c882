import DocumentValues
import Synchronization

/// What is done to a whole database: resync, compaction, housekeeping.
package final class MaintenanceService: DatabaseService {
    let documents: DocumentService
    let resync = Mutex(ResyncStatus.never)
    let compactions = Mutex<[CompactionStatus.Kind: CompactionStatus]>([:])

    init(of documents: DocumentService) { self.documents = documents }

    var status: DatabaseStatus { documents.status }
    var environment: DatabaseEnvironment { documents.environment }

    /// Ends what is over and forgets what is out of date, first what makes room. A step that fails keeps no other from being
    /// done.
    ///
    /// - Returns: when the next document ends, in seconds since 1970.
    /// - Throws: why the first of the steps failed that did.
    func keepHouse() async throws -> Int64? {
        await documents.store.completeReserve()
        let failures = [
            await failure(of: { while try await documents.forgetOldRevisions() {} }),
            await failure(of: { while try await documents.forgetReplacedAttachments(dueBy: now).mayBeMore {} }),
            await failure(of: { try await documents.removeOutdated() }),
            await failure(of: { while try await documents.expireDocuments() == GatewayLimits.expiryBatch {} }),
            await failure(of: { try await documents.store.emptyLogIfDue() }),
        ]
        if let first = failures.lazy.compactMap({ $0 }).first { throw first }
        return try await documents.nextExpiry()
    }

    private func failure(of step: () async throws -> Void) async -> (any Error)? {
        do { try await step() } catch { return error }
        return nil
    }
}
