import DocumentValues

/// The effects of a commit on waiting feeds and on caches.
struct CommitEffects: Sendable {
    /// The channels whose lists changed, by collection, with the last sequence in each. `*` is always among them.
    var channels: [ChannelKey: UInt64] = [:]
    /// Users and roles (`role:…`) that changed in any way. If there are any, `lastSequence` is above that of the commit
    /// before, so that those who wait see the change (`StoreTransaction.noteChange`).
    var principals: Set<Name> = []
    /// The database's last sequence after the commit.
    var lastSequence: UInt64 = 0

    mutating func merge(_ other: CommitEffects) {
        channels.merge(other.channels) { max($0, $1) }
        principals.formUnion(other.principals)
    }
}

/// A channel of one collection.
struct ChannelKey: Sendable, Hashable {
    let collection: Int64
    let channel: Name
}
