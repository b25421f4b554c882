import DocumentValues

/// Revisions that were replaced lately: a client that was just told of one may still ask for it, or have it and want
/// the difference to the next. Bounded in bytes.
struct RevisionCache: Sendable {
    struct Key: Sendable, Hashable {
        let collection: Int64
        let id: String
        let revision: RevisionID
    }

    /// A difference between two revisions of a document.
    struct DeltaKey: Sendable, Hashable {
        let collection: Int64
        let id: String
        let from: RevisionID
        let to: RevisionID
    }

    struct Delta: Sendable {
        /// `nil` where the new revision itself is no longer than that.
        let bytes: [UInt8]?
        /// Of the old revision, from which the difference tells something.
        let channels: Set<String>
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
    func remove(_ ids: Set<String>, in collection: Int64) {
        entries.removeAll { $0.collection == collection && ids.contains($0.id) }
        deltas.removeAll { $0.collection == collection && ids.contains($0.id) }
    }
}
