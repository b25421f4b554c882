import AccessControl
import DocumentValues

/// The channels' lists: the documents that entered a channel or left it, in the order of the sequences. In a list a sequence is
/// unique, and so is a document (`DocumentRowChange`). A list shows what its documents are in the state that is read, so it is
/// read with their rows, all from one state.
protocol FeedRows {
    /// Reads the first rows of a part, up to its limit, and returns those of them that are wanted: so the work for a page
    /// is limited, however few are wanted. The list of `*` is that of all documents.
    ///
    /// - Returns: the rows in ascending order of their sequences; `nil` or an empty page if no document has ever been in the
    ///   channel. An entry whose document is not stored any more is no row, and does not count.
    func page(_ part: ChannelPart) async throws -> ChannelPage?

    /// Those of the entries that are there and record that the document left because it was deleted. Looking for a channel
    /// makes none.
    func deletions(among entries: [ChannelEntry], in collection: Int64) async throws -> Set<ChannelEntry>
}

/// A part of a channel's list.
struct ChannelPart: Sendable, Hashable {
    let key: ChannelKey
    /// Rows after this sequence …
    let after: UInt64
    /// … up to and including this one.
    let through: UInt64
    /// How many rows are read.
    let limit: Int
    /// Which of them are wanted.
    let wanted: Wanted
    /// Whether each row comes with the channels of its document.
    let includesChannels: Bool

    enum Wanted: Sendable, Hashable {
        case all
        /// Documents that left the channel or were deleted.
        case gone
        /// Documents that are in the channel and not deleted.
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

/// The requested rows of a part.
struct ChannelPage: Sendable {
    /// Each row with the channels of its document, if these were requested.
    var rows: [(row: ChannelRow, channels: DocumentChannels?)] = []
    /// How many rows were read, including those that were not wanted. Fewer than the limit are the last ones of the part.
    var count = 0
    /// The sequence of the last row that was read.
    var lastSequence: UInt64?
}

/// A row of a channel's list.
struct ChannelRow: Sendable {
    let sequence: UInt64
    let document: Int64
    let id: String
    /// The document left the channel.
    let isRemoval: Bool
    /// The revision with which the document left; otherwise the current one.
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
    /// Those that are not there are passed over. It notifies of no change.
    func delete(_ entries: [ChannelEntry]) async throws

    /// Feeds that wait for the channel are notified with the commit. Of several calls for a channel in one write the last one
    /// counts; what an undone write has noted is not notified of.
    ///
    /// - Parameter sequence: one that this transaction has taken.
    func noteChange(of channel: Name, at sequence: UInt64)
}

/// Where an entry is.
struct ChannelEntry: Hashable {
    let channel: Name
    let sequence: UInt64
}
