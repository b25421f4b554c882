import DocumentValues
import Synchronization

/// Work on a whole database: resync, compaction, housekeeping.
package final class MaintenanceService: DatabaseService {
    let documents: DocumentService
    let resync = Mutex(ResyncStatus.never)
    let compactions = Mutex<[CompactionStatus.Kind: CompactionStatus]>([:])

    init(of documents: DocumentService) { self.documents = documents }

    var status: DatabaseStatus { documents.status }
    var environment: DatabaseEnvironment { documents.environment }

    /// Ends expired data and forgets outdated data, beginning with steps that make room. If a step fails, the others are
    /// still done.
    func keepHouse() async -> Housekeeping {
        let upkeep = documents.store.upkeep
        await upkeep?.completeReserve()
        var round = Housekeeping()
        await round.take("removal of old revisions") { while try await documents.forgetOldRevisions() {} }
        await round.take("removal of replaced attachments") {
            while try await documents.forgetReplacedAttachments(dueBy: now).mayBeMore {}
        }
        await round.take("removal of outdated rows") { try await documents.removeOutdated() }
        let expiry: Void? = await round.take("expiry of documents") {
            var pass = ExpiryPass()
            while try await documents.expireDocuments(in: &pass) {}
            if let failure = pass.failure { throw failure }
        }
        await round.take("emptying of the write-ahead log") {
            try await upkeep?.emptyLogIfDue()
            _ = try await upkeep?.emptyLogIfDiskIsFull()
        }
        // Documents that could not be expired are due already: they must not hurry the next round.
        guard expiry != nil else { return round }
        round.nextExpiry = await round.take("reading of the next expiry") { try await documents.nextExpiry() } ?? nil
        return round
    }
}
