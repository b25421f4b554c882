import AccessControl
import DocumentValues

/// The channels' lists: which documents came into a channel or left it, in the order of the sequences.
protocol FeedRows {
    /// Reads a part of a list. The list of `*` is that of all documents.
    ///
    /// - Returns: `nil` where no document ever was in the channel.
    func page(_ part: ChannelPart) async throws -> ChannelPage?
}

/// A part of a channel's list.
struct ChannelPart {
    let key: ChannelKey
    /// Rows after this sequence …
    let after: UInt64
    /// … up to and including this one.
    let through: UInt64
    /// How many rows are looked at.
    let limit: Int
    /// Which of them are wanted.
    let wanted: Wanted
    /// Whether each comes with the channels of its document.
    let includesChannels: Bool

    enum Wanted {
        case all
        /// What left the channel, or was deleted.
        case gone
        /// What is in the channel and was not deleted.
        case present
    }

    init(
        _ key: ChannelKey, after: UInt64 = 0, through: UInt64, limit: Int, wanted: Wanted = .all,
        includesChannels: Bool = false
    ) {
        self.key = key
        self.after = after
        self.through = through
        self.limit = limit
        self.wanted = wanted
        self.includesChannels = includesChannels
    }

    func wants(isGone: Bool) -> Bool {
        switch wanted {
        case .all: true
        case .gone: isGone
        case .present: !isGone
        }
    }
}

/// The rows of a part that were wanted.
struct ChannelPage {
    /// With the channels of its document where these were asked for.
    var rows: [(row: ChannelRow, channels: DocumentChannels?)] = []
    /// How many were looked at.
    var count = 0
    /// Of the last one that was looked at.
    var lastSequence: UInt64?
}

/// A row of a channel's list.
struct ChannelRow {
    let sequence: UInt64
    let document: Int64
    let id: String
    /// The document left the channel.
    let isRemoval: Bool
    /// The one with which it left, or else the current one.
    let revision: String
    /// Of `revision`.
    let isDeleted: Bool
    /// Whether the document's current revision is a tombstone.
    let isGone: Bool
    /// Of the document's current revision.
    let documentSequence: UInt64
}

/// Writes the channels' lists of one collection, beside what `DocumentWrites` does.
protocol FeedWrites {
    func delete(_ entries: [ChannelEntry]) async throws

    /// Which of these entries say that the document left by its deletion.
    func deletions(among entries: [ChannelEntry]) async throws -> Set<ChannelEntry>

    /// Those who wait for the channel are notified of it with the commit.
    func noteChange(of channel: Name, at sequence: UInt64)
}

/// Where an entry is.
struct ChannelEntry: Hashable {
    let channel: Name
    let sequence: UInt64
}
