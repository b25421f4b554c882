/// What a passive session offers its client.
struct PassiveConfiguration: Sendable, Hashable {
    let version: SyncSubprotocol
    /// Clients that name no collection can be served.
    let hasDefaultCollection: Bool
    /// Revisions may be taken, and sent to a client that wants it, as differences.
    let usesDeltas: Bool
    /// Revisions may be announced by `changes`, whatever they are beside.
    let allowsConflicts: Bool
    /// Bytes of one attachment that a client may push.
    let attachmentBytes: Int
}
