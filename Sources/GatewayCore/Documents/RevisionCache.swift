import DocumentValues

/// Revisions that were replaced lately: a client that was just told of one may still ask for it, or have it and want
/// the difference to the next. Bounded in bytes.
struct RevisionCache: Sendable {
    struct Key: Sendable, Hashable {
        let document: DocumentKey
        let revision: RevisionID

        init(_ stored: StoredDocument, _ revision: RevisionID) {
            document = DocumentKey(stored)
            self.revision = revision
        }
    }

    /// One document: its row, and its id, since the row's number may be another document's after a purge.
    struct DocumentKey: Sendable, Hashable {
        let number: Int64
        let id: Name

        init(_ stored: StoredDocument) {
            number = stored.number
            id = Name(stored.id)
        }
    }

    /// A difference between two revisions of a document.
    struct DeltaKey: Sendable, Hashable {
        let document: DocumentKey
        let from: RevisionID
        let to: RevisionID
    }

    struct Delta: Sendable {
        /// `nil` where the new revision itself is no longer than that.
        let bytes: [UInt8]?
        /// Of the old revision, from which the difference tells something.
        let channels: Set<Name>
    }

    private let entries = BoundedCache<Key, StoredRevision>(bytes: GatewayLimits.revisionCache)
    private let deltas = BoundedCache<DeltaKey, Delta>(bytes: GatewayLimits.deltaCache)

    func insert(_ key: Key, _ revision: StoredRevision) {
        entries.insert(revision, for: key, bytes: revision.body.count)
    }

    subscript(key: Key) -> StoredRevision? { entries[key] }

    func insert(_ key: DeltaKey, _ delta: Delta) { deltas.insert(delta, for: key, bytes: delta.bytes?.count ?? 0) }

    subscript(key: DeltaKey) -> Delta? { deltas[key] }

    var deltaCount: Int { deltas.count }

    /// A purged document leaves nothing behind.
    func remove(_ documents: Set<Int64>) {
        entries.removeAll { documents.contains($0.document.number) }
        deltas.removeAll { documents.contains($0.document.number) }
    }
}
