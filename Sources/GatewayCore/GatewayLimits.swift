/// Bounds of what the gateway accepts and keeps.
package enum GatewayLimits {
    /// Bytes of a document's JSON.
    package static let documentSize = 20 << 20
    /// Bytes of one attachment.
    package static let attachmentSize = 20 << 20
    /// Nodes of a revision tree; older ancestors are forgotten.
    package static let revisions = 50
    /// Times a write is tried again because the document changed meanwhile.
    package static let writeAttempts = 10
    /// Rows read from a channel's list at once.
    package static let feedPage = 400
    /// Writes that share a transaction.
    package static let groupCommit = 5_000
    /// How long a new session lasts, in seconds.
    package static let sessionLifetime: Int64 = 24 * 3_600
    /// Verified credentials that are remembered.
    package static let credentialCache = 10_000
    package static let minimumPasswordLength = 3
    /// Seconds up to which an expiry is counted from now; a larger number is a time.
    package static let relativeExpiry: Int64 = 30 * 24 * 3_600
}
