import AccessControl
import DocumentValues

/// One entry of a channel's list on its way into a feed.
struct FeedEntry {
    /// The reason for which the list is read.
    enum Reason {
        case scan
        /// Only for the documents that left the channel.
        case loss
        case revocation
    }

    let sequence: SequenceID
    let row: ChannelRow
    let reason: Reason
    let channel: Name

    /// The entry's position in the channel's list.
    var position: UInt64 { row.sequence }
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
    /// Entries that were read and not taken yet, in reverse: the next one is at the end.
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

    var isToBeFilled: Bool { buffer.isEmpty && !isAtEnd }

    /// The entry at `head`, if there is one.
    mutating func take() -> FeedEntry? { buffer.popLast() }

    /// Reads the next rows of the list if no entry is left, at most `page` of them: the cost of a page must not depend
    /// on the length of the list.
    mutating func fill(page: Int, view: AccessView, from store: any StoreReader) async throws {
        guard isToBeFilled else { return }
        let found = try await store.feed.page(part(page))
        buffer = take(found, of: page, view: view).reversed()
    }

    /// All entries of a list that has few; `nil` if it has more. A list that needs the channels of its documents, which may be
    /// many, is read elsewhere.
    mutating func takeAll(view: AccessView, from news: SharedNews) throws -> [FeedEntry]? {
        guard isToBeFilled, !includesChannels else { return nil }
        let limit = GatewayLimits.newsReadInPlace
        guard case .found(let page) = try news.page(part(limit)) else { return nil }
        return take(page, of: limit, view: view)
    }

    private func sequenceID(of sequence: UInt64) -> SequenceID {
        switch source {
        case .scan(let scan): SequenceID(sequence, triggeredBy: scan.triggeredBy)
        case .gone: SequenceID(sequence)
        case .revocation(let scan): SequenceID(sequence, triggeredBy: scan.revokedAt)
        }
    }

    private func part(_ limit: Int) -> ChannelPart {
        ChannelPart(
            key, after: position, through: end, limit: limit, wanted: wanted, includesChannels: includesChannels)
    }

    /// The entries of a page that has been read.
    private mutating func take(_ found: ChannelPage?, of limit: Int, view: AccessView) -> [FeedEntry] {
        isAtEnd = (found?.count ?? 0) < limit
        guard let found else { return [] }
        position = found.lastSequence ?? position
        var entries: [FeedEntry] = []
        entries.reserveCapacity(found.rows.count)
        for (row, channels) in found.rows {
            guard let reason = reason(for: row, in: channels, view: view) else { continue }
            entries.append(
                FeedEntry(sequence: sequenceID(of: row.sequence), row: row, reason: reason, channel: key.channel))
        }
        return entries
    }

    private var wanted: ChannelPart.Wanted {
        switch source {
        case .scan(let scan): scan.includes(isGone: true) ? .all : .present
        case .gone: .gone
        case .revocation: .all
        }
    }

    /// Whether the spans in which a document was in the channel are needed, to decide if the client may have it.
    private var includesChannels: Bool {
        switch source {
        case .scan: false
        case .gone, .revocation: true
        }
    }

    /// `nil` if the entry does not belong to the feed.
    private func reason(for row: ChannelRow, in channels: DocumentChannels?, view: AccessView) -> FeedEntry.Reason? {
        switch source {
        case .scan: return .scan
        case .gone(let scan):
            guard let channels, scan.mayHave(membership: channels.stays(in: key.channel)) else { return nil }
            return .loss
        case .revocation(let scan):
            guard let channels, isLost(row, in: channels, by: scan, view: view) else { return nil }
            return .revocation
        }
    }

    /// Whether the client may have the document, may not see it any more, and gets no other report of that.
    private func isLost(
        _ row: ChannelRow, in channels: DocumentChannels, by scan: RevocationScan, view: AccessView
    ) -> Bool {
        let isKnown =
            row.isGone
            ? view.reportsTombstone(in: channels, at: row.documentSequence) : view.sees(channels.current.keys)
        return !isKnown
            && scan.includes(
                row.sequence, isGone: row.isRemoval || row.isDeleted, membership: channels.stays(in: key.channel))
    }
}
