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

    /// Ends what is over and forgets what is out of date.
    ///
    /// - Returns: when the next document ends, in seconds since 1970.
    func keepHouse() async throws -> Int64? {
        await documents.store.completeReserve()
        while try await documents.expireDocuments() == GatewayLimits.expiryBatch {}
        while try await documents.forgetOldRevisions() {}
        while try await documents.forgetReplacedAttachments(dueBy: now).mayBeMore {}
        try await documents.removeOutdated()
        try await documents.store.emptyLogIfDue()
        return try await documents.nextExpiry()
    }
}
