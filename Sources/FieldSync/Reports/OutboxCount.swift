import DocumentStore
import FieldRecords

/// How many entries of the outbox and the quarantine still need a decision.
struct OutboxCount: Sendable, Hashable {
    var records = 0
    /// Deletions among them, which cannot be edited.
    var deletions = 0
    var quarantined = 0
    /// Records of other users, whose laptops send them.
    var awaited = 0

    static func waiting(in field: FieldDatabase) throws -> OutboxCount {
        let all = try field.outbox.all()
        let refused = all.filter { $0.awaits == .decision }
        return OutboxCount(
            records: refused.count, deletions: refused.count { $0.change.isDeletion },
            quarantined: try field.database.quarantinedDocumentCount(),
            awaited: all.count { $0.awaits == .anotherLaptop })
    }
}

extension SyncReport {
    mutating func note(_ waiting: OutboxCount) {
        self.waiting.refused = waiting.records
        self.waiting.refusedDeletions = waiting.deletions
        self.waiting.inQuarantine = waiting.quarantined
        self.waiting.awaited = waiting.awaited
    }
}
