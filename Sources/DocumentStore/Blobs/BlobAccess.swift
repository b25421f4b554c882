/// Whether a storage can find its blobs by their digests.
package enum BlobAccess: Sendable, Hashable {
    case open
    /// The first use takes long: it computes the key.
    case onRequest
    /// Without the key the names of blobs are not known.
    case locked
}

extension BlobStorage {
    /// Nearly all storages have their key from their opening on, or need none.
    package var access: BlobAccess { .open }
}
