import DocumentStore
import FieldRecords

/// How much is in the outbox, and in the quarantine, of which nobody has said yet what is to become of it.
struct OutboxCount: Sendable, Hashable {
    var records = 0
    /// Of those: nobody can edit what is deleted.
    var deletions = 0
    var quarantined = 0
    /// Of others, whose laptops send them.
    var awaited = 0

    static func waiting(in field: FieldDatabase) throws -> OutboxCount {
        let all = try field.refusedRecords()
        let refused = all.filter { $0.awaits == .decision }
        return OutboxCount(
            records: refused.count, deletions: refused.count { $0.change.isDeletion },
            quarantined: try field.database.quarantinedDocumentCount(),
            awaited: all.count { $0.awaits == .anotherLaptop })
    }
}

extension SyncReport {
    mutating func note(_ waiting: OutboxCount) {
        refused = waiting.records
        refusedDeletions = waiting.deletions
        inQuarantine = waiting.quarantined
        awaited = waiting.awaited
    }
}
