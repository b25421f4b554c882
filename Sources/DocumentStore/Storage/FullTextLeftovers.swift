import Dispatch
import GRDB
import Synchronization

/// Words of purged documents that are still in full-text indexes, since this SQLite only marks them as deleted. A mark in
/// the database, which outlives the process, says that there are some until the indexes are merged.
enum FullTextLeftovers {
    private static let key = "unmerged_texts"

    /// In the transaction that purges.
    static func note(_ db: GRDB.Database) throws {
        guard !FullTextDeletion.isSecure else { return }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO properties (key, value)
                SELECT ?, x'' FROM indexes WHERE definition LIKE '{"type":"fulltext"%' LIMIT 1
                """, arguments: [key])
    }

    static func areThere(_ db: GRDB.Database) throws -> Bool { try PropertyTable(db).contains(key) }

    static func remove(_ db: GRDB.Database) throws {
        try IndexCatalog.mergeFullText(db)
        try PropertyTable(db).remove(key)
    }
}

extension StoreCore {
    /// Merges full-text indexes soon. A merge takes the longer the larger an index is, so one merge serves all purges until
    /// then.
    func planRemovalOfLeftovers() {
        guard !FullTextDeletion.isSecure, !isRemovalPlanned.exchange(true, ordering: .acquiringAndReleasing) else {
            return
        }
        leftoverQueue.asyncAfter(deadline: .now() + StoreLimits.leftoverDelay) { [weak self] in
            guard let self else { return }
            isRemovalPlanned.store(false, ordering: .releasing)
            removeLeftoversIfPossible()
        }
    }

    /// If this fails, the next opening does it.
    func removeLeftoversIfPossible() {
        do { try removeLeftovers() } catch let error as StoreError where error.code == .notOpen {
            return
        } catch {
            LibraryLog.database.warning(
                "Words of purged documents stay in \(path) until its full-text indexes are merged: \(error)")
        }
    }

    func removeLeftovers() throws {
        guard try read(FullTextLeftovers.areThere) else { return }
        try write(.normal) { try FullTextLeftovers.remove($0.db) }
        try truncateLog()
    }
}
