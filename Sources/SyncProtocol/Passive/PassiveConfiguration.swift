/// The options of a passive session.
struct PassiveConfiguration: Sendable, Hashable {
    let version: SyncSubprotocol
    /// Clients that name no collection are accepted.
    let hasDefaultCollection: Bool
    /// Revisions may be accepted as differences, and sent as differences to a client that wants them.
    let usesDeltas: Bool
    /// A client may announce its revisions by `changes`, even if they are in conflict with stored ones.
    let allowsConflicts: Bool
    /// Bytes of one attachment that a client may push.
    let attachmentBytes: Int
}
