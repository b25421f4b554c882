import DocumentValues

/// Recently replaced revisions. A client that was just notified of such a revision may still request it; a client that
/// has it may request the difference to the next one. Bounded in bytes, and in time by the database's configuration.
struct RevisionCache: Sendable {
    struct Key: Sendable, Hashable {
        let document: DocumentKey
        let revision: RevisionID

        init(_ stored: StoredDocument, revision: RevisionID) {
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
        /// `nil` if the new revision itself is not longer than the difference.
        let bytes: [UInt8]?
        /// The channels of the old revision, of which the difference reveals parts.
        let channels: Set<Name>
        /// The time limit of the old revision.
        let until: Int64?
    }

    private let entries = BoundedCache<Key, RememberedRevision>(bytes: GatewayLimits.revisionCache)
    private let deltas = BoundedCache<DeltaKey, Delta>(bytes: GatewayLimits.deltaCache)
    /// Seconds since 1970.
    let now: @Sendable () -> Int64

    init(now: @escaping @Sendable () -> Int64) { self.now = now }

    func insert(_ key: Key, revision: StoredRevision, until: Int64) {
        entries.insert(RememberedRevision(revision: revision, until: until), for: key, bytes: revision.bytesHeld)
    }

    /// `nil` also for a revision whose time is over.
    subscript(key: Key) -> RememberedRevision? { entries[key].flatMap { isCurrent($0.until) ? $0 : nil } }

    private func isCurrent(_ until: Int64?) -> Bool { until.map { $0 > now() } ?? true }

    func insert(_ key: DeltaKey, delta: Delta) { deltas.insert(delta, for: key, bytes: delta.bytes?.count ?? 0) }

    subscript(key: DeltaKey) -> Delta? { deltas[key].flatMap { isCurrent($0.until) ? $0 : nil } }

    var deltaCount: Int { deltas.count }

    /// A purged document leaves nothing behind.
    func remove(_ documents: Set<Int64>) {
        entries.removeAll { documents.contains($0.document.number) }
        deltas.removeAll { documents.contains($0.document.number) }
    }
}
