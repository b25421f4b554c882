import AccessControl
import DocumentValues

/// One entry of a channel's list on its way into a feed.
struct FeedEntry {
    let sequence: SequenceID
    let document: Int64
    let id: String
    let revision: String
    let isDeleted: Bool
    /// Whether the document's current revision is a tombstone.
    let isGone: Bool
    /// Of the document's current revision.
    let documentSequence: UInt64
    /// The document left the channel.
    let isRemoval: Bool
    let isRevoked: Bool
    /// Its list is only read for documents that left it.
    let isLoss: Bool
    let channel: Name

    /// Where it is in the channel's list.
    var position: UInt64 { sequence.sequence }
}

/// Reads a part of one channel's list, page by page, as entries of a feed in their order.
struct FeedCursor {
    private enum Source {
        case scan(ChannelScan)
        case gone(GoneScan)
        case revocation(RevocationScan)
    }

    private let source: Source
    private let key: ChannelKey
    private var position: UInt64
    private let end: UInt64
    /// Entries that were read and not taken yet; the next one is the last.
    private var buffer: [FeedEntry] = []
    private var isAtEnd = false

    init(_ scan: ChannelScan, collection: Int64) {
        source = .scan(scan)
        key = ChannelKey(collection: collection, channel: scan.channel)
        position = scan.after
        end = scan.through
    }

    init(_ scan: GoneScan, collection: Int64) {
        source = .gone(scan)
        key = ChannelKey(collection: collection, channel: scan.channel)
        position = scan.after
        end = scan.through
    }

    init(_ scan: RevocationScan, collection: Int64, through: UInt64) {
        source = .revocation(scan)
        key = ChannelKey(collection: collection, channel: scan.channel)
        position = scan.after
        end = through
    }

    /// The sequence of the next entry, or an earlier one up to which the list was read without finding an entry. `nil`
    /// at the end.
    ///
    /// `fill` must have been called.
    var head: SequenceID? { buffer.last?.sequence ?? (isAtEnd ? nil : sequenceID(of: position)) }

    /// The entry at `head`, if there is one.
    mutating func take() -> FeedEntry? { buffer.popLast() }

    /// Reads on if the buffer is empty, up to so many rows: the cost of a page must not depend on the length of the
    /// list.
    mutating func fill(page: Int, view: AccessView, from store: StoreReader) throws {
        guard buffer.isEmpty, !isAtEnd else { return }
        buffer = try read(page, view: view, store: store).reversed()
    }

    private func sequenceID(of sequence: UInt64) -> SequenceID {
        switch source {
        case .scan(let scan): SequenceID(sequence, triggeredBy: scan.triggeredBy)
        case .gone: SequenceID(sequence)
        case .revocation(let scan): SequenceID(sequence, triggeredBy: scan.revokedAt)
        }
    }

    private mutating func read(_ page: Int, view: AccessView, store: StoreReader) throws -> [FeedEntry] {
        var entries: [FeedEntry] = []
        entries.reserveCapacity(page)
        let count = try store.feed.forEach(in: key, after: position, through: end, limit: page) { row in
            position = row.sequence
            if let entry = entry(row) { entries.append(entry) }
        }
        isAtEnd = (count ?? 0) < page
        switch source {
        case .scan: return entries
        case .gone(let scan):
            return try entries.filter { entry in
                guard let channels = try store.documents.channels(number: entry.document) else { return false }
                return scan.mayHave(membership: channels.stays(in: key.channel))
            }
        case .revocation(let scan): return try entries.filter { try isLost($0, in: scan, view: view, store: store) }
        }
    }

    private func entry(_ row: borrowing ChannelRow) -> FeedEntry? {
        let (isRemoval, isDeleted) = (row.isRemoval, row.isDeleted)
        let isEnd = isRemoval || isDeleted
        var isLoss = false
        var isRevoked = false
        switch source {
        case .scan(let scan): guard scan.includes(isGone: isEnd) else { return nil }
        case .gone:
            guard isEnd else { return nil }
            isLoss = true
        case .revocation: isRevoked = true
        }
        return FeedEntry(
            sequence: sequenceID(of: row.sequence), document: row.document, id: row.id, revision: row.revision,
            isDeleted: isDeleted, isGone: row.isGone, documentSequence: row.documentSequence, isRemoval: isRemoval,
            isRevoked: isRevoked, isLoss: isLoss,
            channel: key.channel)
    }

    /// Whether the client may have the document, may not see it any more, and gets no other report of that.
    private func isLost(
        _ entry: FeedEntry, in scan: RevocationScan, view: AccessView, store: StoreReader
    ) throws -> Bool {
        guard let channels = try store.documents.channels(number: entry.document) else { return false }
        let isKnown =
            entry.isGone
            ? view.reportsTombstone(in: channels, at: entry.documentSequence) : view.sees(channels.current.keys)
        return !isKnown
            && scan.includes(
                entry.sequence.sequence, isGone: entry.isRemoval || entry.isDeleted,
                membership: channels.stays(in: key.channel))
    }
}
