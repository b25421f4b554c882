import AccessControl
import DocumentValues
import GRDB
import SyncFunction

extension DocumentWriter {
    /// Makes tombstones of all live leaves of a document.
    fileprivate func end(_ number: Int64) throws {
        while let stored = try StoredDocument.fetch(number: number, db), !stored.isDeleted {
            let beside = stored.tree.leaves.first { !$0.isDeleted && $0.revision != stored.revision }
            let tombstone = try IncomingDocument(
                id: stored.id, edit: .new(replacing: beside?.revision ?? stored.revision), isDeleted: true,
                body: StoredRevision.emptyBody, attachments: nil, expires: nil, content: [:])
            let verdict = try WritePlan.make(
                tombstone, DocumentState(stored: stored, branches: try stored.branches(db)),
                rules: WriteRules(setup.configuration, view: .all))
            guard case .planned(let plan) = verdict else { return }
            _ = try store(plan, SyncDecision(SyncFunctionOutcome()))
        }
    }
}

/// Documents that go: purged by an administrator, or at the end of their time.
extension GatewayDatabase {
    /// Erases documents without a trace in the feed; returns those that were there.
    package func purge(_ ids: [String], in collection: CollectionName) async throws -> [String] {
        let number = try self.collection(collection).number
        let (setup, cache, now) = (setup, revisions, now)
        let purged = try await store.write { transaction in
            let writer = DocumentWriter(transaction, setup: setup, collection: number, cache: cache, now: now)
            return try ids.filter { try writer.purge($0) }
        }
        revisions.remove(Set(purged), in: number)
        return purged
    }

    /// Makes tombstones of the documents whose time is over, some at once; returns how many.
    ///
    /// The sync function is not asked: the tombstone is in no channel and grants nothing. Of a document in conflict all
    /// leaves end, the current one last.
    func expireDocuments() async throws -> Int {
        let (setup, cache, now) = (setup, revisions, now)
        return try await store.write { transaction in
            let statement = try RawStatement(
                "SELECT number, collection FROM documents WHERE expires <= ? ORDER BY expires LIMIT ?", transaction.db)
            statement.bind(1, now)
            statement.bind(2, Int64(GatewayLimits.expiryBatch))
            var due: [(number: Int64, collection: Int64)] = []
            try statement.forEachRow { due.append(($0.int64(0), $0.int64(1))) }
            for (number, collection) in due {
                let writer = DocumentWriter(transaction, setup: setup, collection: collection, cache: cache, now: now)
                try writer.end(number)
            }
            return due.count
        }
    }

    /// When the next document ends, in seconds since 1970.
    func nextExpiry() async throws -> Int64? {
        try await store.read { db in
            let statement = try RawStatement(
                "SELECT expires FROM documents WHERE expires IS NOT NULL ORDER BY expires LIMIT 1", db)
            return try statement.first { $0.int64(0) }
        }
    }

    /// Forgets replaced revisions that are over their time or too many, some at once; returns whether there may be more.
    func forgetOldRevisions(limit: Int = GatewayLimits.oldRevisions) async throws -> Bool {
        let now = now
        return try await store.write { transaction in
            try OldRevisions.forget(now: now, limit: limit, transaction.db)
        }
    }

    /// Deletes replaced attachments that are over their time, some at once; returns whether there may be more.
    func forgetReplacedAttachments() async throws -> Bool {
        let now = now
        return try await store.write { transaction in try ReplacedAttachments.forget(now: now, transaction.db) }
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
