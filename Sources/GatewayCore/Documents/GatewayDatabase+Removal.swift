import DocumentValues
import GRDB
import SQLiteStorage

/// What goes: documents that an administrator purges, and what is out of date.
extension GatewayDatabase {
    /// Erases documents without a trace in the feed; returns those that were there.
    package func purge(_ ids: [String], in collection: CollectionName) async throws -> [String] {
        let number = try self.collection(collection).number
        let (setup, cache, now) = (setup, revisions, now)
        let purged = try await store.erase { transaction in
            let writer = DocumentWriter(transaction, setup: setup, collection: number, cache: cache, now: now)
            return try ids.compactMap { id in try writer.purge(id).map { (id: id, number: $0) } }
        }
        revisions.remove(Set(purged.map(\.number)))
        refusals.forget(documents: purged.map(\.id), in: collection)
        try refusals.save()
        return purged.map(\.id)
    }

    /// Forgets replaced revisions that are over their time or too many, some at once; returns whether there may be more.
    func forgetOldRevisions(limit: Int = GatewayLimits.oldRevisions) async throws -> Bool {
        let now = now
        return try await store.write { transaction in
            try OldRevisions.forget(now: now, limit: limit, transaction.db)
        }
    }

    /// Deletes replaced attachments that are over their time, some at once.
    ///
    /// - Parameter time: that counts as now.
    func forgetReplacedAttachments(dueBy time: Int64) async throws -> (count: Int, mayBeMore: Bool) {
        let count = try await store.write { transaction in
            try ReplacedAttachments.forget(now: time, transaction.db)
        }
        return (count, count == GatewayLimits.forgottenAttachmentsAtOnce)
    }

    /// Forgets sessions that are over and local documents that nobody wrote for long.
    func removeOutdated() async throws {
        let now = now
        let oldest = now - setup.configuration.localDocumentSeconds
        try await store.write { transaction in
            for (sql, time) in [
                ("DELETE FROM sessions WHERE expires <= ?", now),
                ("DELETE FROM local_documents WHERE touched < ?", oldest),
            ] {
                let statement = try RawStatement(sql, transaction.db)
                statement.bind(1, time)
                try statement.run()
            }
        }
    }
}
