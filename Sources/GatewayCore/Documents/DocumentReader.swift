import AccessControl
import DocumentValues

/// Reads revisions for one reader.
struct DocumentReader {
    let store: StoreReader
    let collection: Int64
    let view: AccessView
    let cache: RevisionCache

    /// The document's row, even if the reader may not see it. A large document has no body if the reader may not see
    /// it.
    ///
    /// - Parameter readsBody: false to leave its body empty.
    func find(_ id: String, readsBody: Bool = true) throws -> StoredDocument? {
        guard readsBody, !view.seesAll else {
            return try store.documents.find(id, in: collection, readsBody: readsBody)
        }
        guard let stored = try store.documents.find(id, in: collection, bodyUpTo: GatewayLimits.bytesReadUnseen) else {
            return nil
        }
        guard stored.body.isEmpty, isVisible(stored) else { return stored }
        return try store.documents.find(id, in: collection)
    }

    /// The current revision, for a request for the document: 403 if the reader may not see it, 404 if it is deleted or
    /// never existed.
    ///
    /// - Parameter readsBody: false to leave its body empty.
    func current(_ id: String, readsBody: Bool = true) throws -> DocumentRevision {
        guard IncomingDocument.isValid(id) else { throw GatewayError.invalidDocumentID }
        guard let stored = try find(id, readsBody: readsBody) else { throw GatewayError.missing }
        guard isVisible(stored) else { throw GatewayError.forbidden }
        guard !stored.isDeleted else { throw GatewayError.deleted }
        return revision(stored)
    }

    /// A certain revision: redacted if the reader may not see it.
    func revision(_ wanted: RevisionID, of id: String) throws -> DocumentRevision {
        guard IncomingDocument.isValid(id) else { throw GatewayError.invalidDocumentID }
        guard let stored = try find(id) else { throw GatewayError.missing }
        guard wanted != stored.revision else { return visible(stored) }
        guard stored.tree.contains(wanted) else { throw GatewayError.missing }
        return try replaced(wanted, stored: stored)
    }

    /// The current revision, also a tombstone, redacted if the reader may not see it.
    func visible(_ stored: StoredDocument) -> DocumentRevision {
        isVisible(stored) ? revision(stored) : redacted(stored.revision, stored: stored, isDeleted: stored.isDeleted)
    }

    func isVisible(_ stored: StoredDocument) -> Bool { view.sees(stored.channels.current.keys) }

    /// The highest first.
    func leaves(of id: String) throws -> [RevisionID] {
        guard let stored = try find(id) else { throw GatewayError.missing }
        return stored.tree.leaves.map(\.revision).winnersFirst
    }

    func openRevision(_ text: String, of id: String) throws -> OpenRevision {
        guard let stored = try find(id), let revision = RevisionID(text),
            stored.tree.contains(revision)
        else { return .missing(text) }
        do {
            return .found(revision == stored.revision ? visible(stored) : try replaced(revision, stored: stored))
        } catch let error as GatewayError where error.status == 404 {
            return .missing(text)
        }
    }

    // MARK: -

    /// A revision that is not the current one: a leaf beside it, or one that was replaced and may still be remembered.
    private func replaced(_ wanted: RevisionID, stored: StoredDocument) throws -> DocumentRevision {
        let isDeleted = stored.tree.isDeleted(wanted)
        guard let found = try remembered(wanted, stored: stored)?.revision else {
            guard isDeleted else { throw GatewayError.missing }
            return redacted(wanted, stored: stored, isDeleted: true)
        }
        guard view.sees(found.channels) else { return redacted(wanted, stored: stored, isDeleted: isDeleted) }
        return DocumentRevision(
            id: stored.id, revision: wanted, isDeleted: isDeleted, body: found.body, attachments: found.attachments,
            history: stored.tree.history(of: wanted), sequence: found.sequence, expires: found.expires,
            channels: found.channels)
    }

    private func remembered(_ wanted: RevisionID, stored: StoredDocument) throws -> RememberedRevision? {
        // Branches first, because they have their present channels.
        if !stored.tree.isLine, let branch = try store.branches.find(wanted, of: stored) {
            return RememberedRevision(revision: branch, until: nil)
        }
        let key = RevisionCache.Key(stored, revision: wanted)
        return try cache[key] ?? store.oldRevisions.find(wanted, of: stored.number, now: cache.now())
    }

    /// Until when a revision is answered that is not the current one; `nil` for a leaf, which has no limit.
    func rememberedUntil(_ wanted: RevisionID, stored: StoredDocument) throws -> Int64? {
        wanted == stored.revision ? nil : try remembered(wanted, stored: stored)?.until
    }

    /// A live or deleted leaf beside the current revision, for a client that was notified of it; `nil` for other
    /// revisions.
    func leafBeside(_ wanted: String, stored: StoredDocument) throws -> DocumentRevision? {
        guard !stored.tree.isLine, let wanted = RevisionID(wanted), wanted != stored.revision,
            stored.tree.isLeaf(wanted)
        else { return nil }
        return try replaced(wanted, stored: stored)
    }

    /// The content of a live revision, in the form from which differences are made; `nil` if it is not here any more,
    /// is a tombstone, or is not visible to the reader. The channels are those of a revision that was replaced.
    func deltaSource(
        _ wanted: RevisionID, stored: StoredDocument
    ) throws -> (body: [UInt8], channels: Set<Name>)? {
        guard stored.tree.contains(wanted) else { return nil }
        do {
            let source = wanted == stored.revision ? visible(stored) : try replaced(wanted, stored: stored)
            return source.isDeleted || source.isRedacted ? nil : (source.bodyWithAttachments, source.channels)
        } catch let error as GatewayError where error.status == 404 {
            return nil
        }
    }

    private func revision(_ stored: StoredDocument) -> DocumentRevision {
        let channels = stored.channels.current.keys
        return DocumentRevision(
            id: stored.id, revision: stored.revision, isDeleted: stored.isDeleted, body: stored.body,
            attachments: stored.attachments, history: stored.tree.history(of: stored.revision),
            sequence: stored.sequence, expires: stored.expires,
            channels: view.seesAll ? Set(channels) : Set(channels.filter(view.channels.contains)))
    }

    private func redacted(_ revision: RevisionID, stored: StoredDocument, isDeleted: Bool) -> DocumentRevision {
        DocumentRevision(
            id: stored.id, revision: revision, isDeleted: isDeleted, isRedacted: true,
            body: Array((isDeleted ? "{}" : #"{"_removed":true}"#).utf8),
            history: stored.tree.history(of: revision), sequence: stored.sequence)
    }
}
