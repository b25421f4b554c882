import AccessControl
import DocumentValues

/// Reads revisions for one reader.
struct DocumentReader {
    let store: any StoreReader
    let collection: Int64
    let sight: DocumentSight
    let cache: RevisionCache

    init(store: any StoreReader, collection: Int64, view: AccessView, cache: RevisionCache) {
        self.store = store
        self.collection = collection
        sight = DocumentSight(view: view)
        self.cache = cache
    }

    /// The document's row, no matter who may see it. A large document has no body if the reader may not see it.
    ///
    /// - Parameter readsBody: false to leave its body empty.
    func find(_ id: String, readsBody: Bool = true) async throws -> StoredDocument? {
        guard readsBody else { return try await store.documents.find(id, in: collection, bodies: .none) }
        guard !sight.view.seesAll else { return try await store.documents.find(id, in: collection) }
        let limit = GatewayLimits.bytesReadUnseen
        guard let stored = try await store.documents.find(id, in: collection, bodies: .upTo(limit)) else { return nil }
        guard stored.body.isEmpty, sight.isVisible(stored) else { return stored }
        return try await store.documents.find(id, in: collection)
    }

    /// As `DocumentSight.current`.
    ///
    /// - Parameter readsBody: false to leave its body empty.
    func current(_ id: String, readsBody: Bool = true) async throws -> DocumentRevision {
        guard IncomingDocument.isValid(id) else { throw GatewayError.invalidDocumentID }
        return try sight.current(await find(id, readsBody: readsBody))
    }

    /// A certain revision; redacted if the reader may not see it.
    func revision(_ wanted: RevisionID, of id: String) async throws -> DocumentRevision {
        guard IncomingDocument.isValid(id) else { throw GatewayError.invalidDocumentID }
        guard let stored = try await find(id) else { throw GatewayError.missing }
        guard wanted != stored.revision else { return sight.visible(stored) }
        guard stored.tree.contains(wanted) else { throw GatewayError.missing }
        return try await replaced(wanted, stored: stored)
    }

    func openRevision(_ text: String, of id: String) async throws -> OpenRevision {
        guard let stored = try await find(id), let revision = RevisionID(text), stored.tree.contains(revision) else {
            return .missing(text)
        }
        guard revision != stored.revision else { return .found(sight.visible(stored)) }
        do {
            return .found(try await replaced(revision, stored: stored))
        } catch let error as GatewayError where error.status == 404 {
            return .missing(text)
        }
    }

    // MARK: -

    /// A revision other than the current one: a leaf beside it, or a replaced revision that is still remembered.
    private func replaced(_ wanted: RevisionID, stored: StoredDocument) async throws -> DocumentRevision {
        let isDeleted = stored.tree.isDeleted(wanted)
        guard let found = try await remembered(wanted, stored: stored)?.revision else {
            guard isDeleted else { throw GatewayError.missing }
            return sight.redacted(wanted, stored: stored, isDeleted: true)
        }
        guard sight.view.sees(found.channels) else {
            return sight.redacted(wanted, stored: stored, isDeleted: isDeleted)
        }
        return DocumentRevision(
            id: stored.id, revision: wanted, isDeleted: isDeleted, body: found.body, attachments: found.attachments,
            history: stored.tree.history(of: wanted), sequence: found.sequence, expires: found.expires,
            channels: found.channels)
    }

    private func remembered(_ wanted: RevisionID, stored: StoredDocument) async throws -> RememberedRevision? {
        // Branches first, since these have the present channels.
        if !stored.tree.isLine, let branch = try await store.branches.find(wanted, of: stored) {
            return RememberedRevision(revision: branch, until: nil)
        }
        if let known = cache[RevisionCache.Key(stored, revision: wanted)] { return known }
        return try await store.oldRevisions.find(wanted, of: stored.number, now: cache.now())
    }

    /// The time until which a replaced revision can be read; `nil` for a leaf, which has no limit.
    func rememberedUntil(_ wanted: RevisionID, stored: StoredDocument) async throws -> Int64? {
        wanted == stored.revision ? nil : try await remembered(wanted, stored: stored)?.until
    }

    /// A live or deleted leaf beside the current revision, for a reader who was notified of it; `nil` if the revision
    /// is not such a leaf.
    func leafBeside(_ wanted: String, stored: StoredDocument) async throws -> DocumentRevision? {
        guard !stored.tree.isLine, let wanted = RevisionID(wanted), wanted != stored.revision,
            stored.tree.isLeaf(wanted)
        else { return nil }
        return try await replaced(wanted, stored: stored)
    }

    /// The content of a live revision, in the form from which differences are made; `nil` if it is not here any more,
    /// is a tombstone, or is not visible to the reader. The channels of a replaced revision are those that it had.
    func deltaSource(
        _ wanted: RevisionID, stored: StoredDocument
    ) async throws -> (body: [UInt8], channels: Set<Name>)? {
        guard stored.tree.contains(wanted) else { return nil }
        do {
            let isCurrent = wanted == stored.revision
            let source = isCurrent ? sight.visible(stored) : try await replaced(wanted, stored: stored)
            return source.isDeleted || source.isRedacted ? nil : (source.bodyWithAttachments, source.channels)
        } catch let error as GatewayError where error.status == 404 {
            return nil
        }
    }
}
