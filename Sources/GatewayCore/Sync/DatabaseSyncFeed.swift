import DocumentValues
import Synchronization
import SyncProtocol

/// A feed of the core for a sync session.
final class DatabaseSyncFeed: SyncFeed {
    private let feed: ChangesFeed
    private let isContinuous: Bool
    private let reportsRemovals: Bool
    private let activity: ActivityCounts
    private let note: @Sendable ([ChangeRow]) -> Void
    private let hasCaughtUp = Mutex(false)

    /// - Parameter note: gets all rows, also those that the session will not announce.
    init(
        feed: ChangesFeed, isContinuous: Bool, isFromStart: Bool, reportsRemovals: Bool, activity: ActivityCounts,
        note: @escaping @Sendable ([ChangeRow]) -> Void
    ) {
        self.note = note
        self.feed = feed
        self.isContinuous = isContinuous
        self.reportsRemovals = reportsRemovals
        self.activity = activity
        activity.feedBegan(isContinuous: isContinuous, isFromStart: isFromStart)
    }

    deinit { activity.feedEnded(isContinuous: isContinuous) }

    func next(limit: Int) async throws -> SyncFeedBatch {
        if isContinuous, hasCaughtUp.withLock({ $0 }) {
            while true {
                let batch = try await feed.next(limit: limit)
                let rows = rows(batch)
                if !rows.isEmpty || !batch.isCaughtUp {
                    return SyncFeedBatch(rows: rows, isCaughtUp: batch.isCaughtUp)
                }
                try await activity.waiting { try await feed.waitForChanges() }
            }
        }
        let batch = try await feed.next(limit: limit)
        if batch.isCaughtUp { hasCaughtUp.withLock { $0 = true } }
        return SyncFeedBatch(rows: rows(batch), isCaughtUp: batch.isCaughtUp)
    }

    private func rows(_ batch: ChangesBatch) -> [ChangeRow] {
        let rows: [ChangeRow] = batch.rows.compactMap { row in
            // A client with the present document would take the old tombstone for news.
            guard let revision = row.revision, !row.isReplaced else { return nil }
            var flags: RowFlags = row.isDeleted ? .deleted : []
            if row.isRevoked { flags.insert(.revoked) }
            if row.isRemovedFromAll {
                guard row.isDeleted || row.isRevoked || (reportsRemovals && !row.isVisibleOtherwise) else { return nil }
                flags.insert(.removed)
            }
            return ChangeRow(
                sequence: row.sequence.jsonText, documentID: row.id, revision: revision.description, flags: flags)
        }
        note(rows)
        return rows
    }
}
