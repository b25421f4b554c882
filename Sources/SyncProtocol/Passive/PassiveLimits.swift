/// Bounds of what one passive session holds.
enum PassiveLimits {
    /// `changes` messages of a connection that are not dealt with to the end.
    static let openChanges = 2
    /// Pushed revisions that are handed to the store at once.
    static let storeBatch = 400
    /// Bytes of pushed revisions that wait for the store; beyond it nothing more is read from the socket …
    static let queuedBytes = 16 << 20
    /// … until it has fallen to this.
    static let queuedBytesToResume = 8 << 20
    /// Attachments that one pushed revision may refer to.
    static let attachmentsPerRevision = 1_000
    /// Bytes of attachments that one pushed revision may bring; they are held until they are stored.
    static let attachmentBytes = 64 << 20
    /// Collections of one connection.
    static let collections = 1_000
}
