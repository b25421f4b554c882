import DocumentValues

/// Removal of documents that an administrator purges, and of outdated data.
extension DocumentService {
    /// Erases documents without a trace in the feed; returns those that were there.
    package func purge(_ ids: [String], in collection: CollectionName) async throws -> [String] {
        let number = try self.collection(collection).number
        var purged: [PurgedDocument] = []
        // Also if only some of them could be erased.
        defer { forget(purged, in: collection) }
        do { purged = try await erase(ids, of: number) } catch  where StorageFailure.isFullDisk(error) {
            try await eraseOneByOne(ids, of: number, into: &purged)
        }
        return purged.map(\.id)
    }

    private typealias PurgedDocument = (id: String, number: Int64)

    /// Removes erased documents from the caches, too.
    private func forget(_ purged: [PurgedDocument], in collection: CollectionName) {
        revisions.remove(Set(purged.map(\.number)))
        refusals.forget(documents: purged.map(\.id), in: collection)
        keep(refusals.save)
    }

    private func erase(
        _ ids: [String], of collection: Int64, mayUseReserve: Bool = false
    ) async throws -> [PurgedDocument] {
        let (setup, cache, now) = (setup, revisions, now)
        return try await store.erase(mayUseReserve: mayUseReserve) { transaction in
            let writer = DocumentWriter(transaction, setup: setup, collection: collection, cache: cache, now: now)
            var purged: [PurgedDocument] = []
            for id in ids {
                if let number = try await writer.purge(id) { purged.append((id: id, number: number)) }
            }
            return purged
        }
    }

    /// Erasing needs, for a while, as much of the disk as the erased data, and the reserve is enough for one or two
    /// documents.
    private func eraseOneByOne(
        _ ids: [String], of collection: Int64, into purged: inout [PurgedDocument]
    ) async throws {
        for id in ids { purged += try await erase([id], of: collection, mayUseReserve: true) }
    }

    /// Forgets replaced revisions that are too old or too many, some at once; returns whether there may be more.
    func forgetOldRevisions(limit: Int = GatewayLimits.oldRevisions) async throws -> Bool {
        let now = now
        let mayBeMore = try await store.write(mayUseReserve: true) { transaction in
            try await transaction.oldRevisions.forget(now: now, limit: limit)
        }
        // Otherwise the log would keep this data while it gets that of the next part.
        if mayBeMore { _ = try await store.upkeep?.emptyLogIfDiskIsFull() }
        return mayBeMore
    }

    /// Deletes replaced attachments that are too old, some at once.
    ///
    /// - Parameter time: the time that counts as now.
    func forgetReplacedAttachments(dueBy time: Int64) async throws -> (count: Int, mayBeMore: Bool) {
        let count = try await store.write(mayUseReserve: true) { transaction in
            try await transaction.replacedAttachments.forget(now: time)
        }
        return (count, count == GatewayLimits.forgottenAttachmentsAtOnce)
    }

    /// Forgets expired sessions, and local documents that were not written for long.
    func removeOutdated() async throws {
        let now = now
        let oldest = now - setup.configuration.retention.localDocumentSeconds
        try await store.write(mayUseReserve: true) { transaction in
            try await transaction.sessions.deleteExpired(by: now)
            try await transaction.localDocuments.deleteUntouched(since: oldest)
        }
    }
}
