/// Numbers that both sides of the protocol keep to.
public enum SyncLimits {
    /// Rows in one `changes` or `proposeChanges`.
    public static let rowsPerBatch = 200
    /// The least a client may ask for.
    public static let minimumBatch = 10
    /// The most it gets, whatever it asks for: the rows of a batch are held in memory. Sync Gateway has no such limit.
    public static let maximumBatch = 1_000
    /// Bytes of the names under which the blobs of a document are attached, together: as many as a document may have.
    public static let blobNameBytes = 20 << 20
    /// Ancestors in `history`.
    public static let maxHistory = 50
    /// Bytes of `history`: what of the ancestors does not fit is left out, the oldest first.
    public static let historyBytes = 64 << 10
    /// Bytes that the revision ids in a message's properties may have together. Couchbase Lite ends the connection where
    /// all properties have more than 102,400.
    static let revisionPropertyBytes = 96 << 10
    /// Bytes of a revision's id; a message may have to name two beside the history. A document whose revision has a
    /// longer one is passed over.
    public static let revisionBytes = 32 << 10
    /// Ancestors named in one entry of a reply to `changes`.
    public static let ancestorsPerEntry = 10
    /// Bytes of a document id in a `changes` row.
    public static let documentIDLength = 255
    /// Bytes of a body from which on a difference is worth its trouble, as in Couchbase Lite.
    public static let smallestDeltaBody = 200
    /// Bytes of a nonce in `proveAttachment`.
    public static let nonceLength = 1...255
    /// Bytes that a name of a filter takes beside its text, in the list that came and in the set that is looked at.
    public static let bytesOfFilterName = 80
    /// The feed filter that a gateway knows.
    public static let channelFilter = "sync_gateway/bychannel"
}
