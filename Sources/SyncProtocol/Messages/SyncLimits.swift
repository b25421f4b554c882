/// Numbers that both sides of the protocol keep to.
public enum SyncLimits {
    /// Rows in one `changes` or `proposeChanges`.
    public static let rowsPerBatch = 200
    /// The least a client may ask for. Over a line that breaks again and again, one revision at a time is all that arrives;
    /// Sync Gateway sends ten rows at least.
    public static let minimumBatch = 1
    /// The most rows that a client gets, even if it asks for more, since the rows of a batch are held in memory. Sync
    /// Gateway has no such limit.
    public static let maximumBatch = 1_000
    /// Total bytes of the attachment names of a document's blobs: as many as a document may have.
    public static let blobNameBytes = 20 << 20
    /// Ancestors in `history`.
    public static let maxHistory = 50
    /// Bytes of `history`: ancestors that do not fit are left out, the oldest first.
    public static let historyBytes = 64 << 10
    /// Total bytes of the revision ids in a message's properties. Couchbase Lite ends the connection if all properties
    /// have more than 102,400.
    static let revisionPropertyBytes = 96 << 10
    /// Bytes of a revision id; a message may contain two beside the history. A document whose revision has a longer id
    /// is skipped.
    public static let revisionBytes = 32 << 10
    /// Ancestors named in one entry of a reply to `changes`.
    public static let ancestorsPerEntry = 10
    /// Bytes of a document id in a `changes` row.
    public static let documentIDLength = 255
    /// Bytes of a body from which on a difference is worth the work, as in Couchbase Lite.
    public static let smallestDeltaBody = 200
    /// Bytes of a nonce in `proveAttachment`.
    public static let nonceLength = 1...255
    /// Bytes that a name in a filter takes beside its text, in the received list and in the set for look-ups.
    public static let bytesOfFilterName = 80
    /// The feed filter that a gateway knows.
    public static let channelFilter = "sync_gateway/bychannel"
}
