import DocumentValues

/// A part of a channel's entries that belongs into a feed.
public struct ChannelScan: Sendable, Hashable {
    public let channel: String
    /// Entries after this sequence …
    public let after: UInt64
    /// … up to and including this one.
    public let through: UInt64
    /// The access change because of which old entries are sent again; 0 for ordinary ones.
    public let triggeredBy: UInt64
    /// Old entries that tell that a document is gone are sent again when they are later than this; `.max`: none is.
    ///
    /// A client that gets a channel for the first time need not hear of the documents that are gone from it. One whose
    /// user held it before does: while it was lost, nobody told of what was deleted or left.
    public let goneAfter: UInt64

    public init(
        channel: String, after: UInt64, through: UInt64, triggeredBy: UInt64 = 0, goneAfter: UInt64 = .max
    ) {
        self.channel = channel
        self.after = after
        self.through = through
        self.triggeredBy = triggeredBy
        self.goneAfter = goneAfter
    }

    /// Whether an entry belongs into the feed.
    ///
    /// - Parameter isGone: it tells that the document left the channel, or that it was deleted.
    public func includes(_ sequence: UInt64, isGone: Bool) -> Bool {
        triggeredBy == 0 || !isGone || sequence > goneAfter
    }
}

/// A channel whose documents a client must give up.
public struct RevocationScan: Sendable, Hashable {
    public let channel: String
    /// The sequence of the loss: rows are `"revokedAt:sequence"`.
    public let revokedAt: UInt64
    /// Entries after this sequence, when a client resumes within these very rows.
    public let after: UInt64
    /// Documents up to here may be at the client.
    public let clientSequence: UInt64
    /// When the user held the channel. All of it counts: what a client was to hear of one loss waits for the next
    /// access change if it comes back after the channel was regained, and it may stop before that again.
    public let heldSpans: [SequenceSpan]

    /// Whether the client may have a document that is or was in the channel.
    ///
    /// - Parameters:
    ///   - sequence: of the document's entry in the channel.
    ///   - membership: when the document was in the channel.
    public func mayHave(sequence: UInt64, membership: @autoclosure () -> [SequenceSpan]) -> Bool {
        // Every document always was in `*`.
        if sequence <= clientSequence || channel == Channel.all { return true }
        let membership = membership()
        return heldSpans.contains { held in membership.contains { $0.overlaps(held) } }
    }
}

/// What has to be read for one pass of a feed: pure arithmetic over grants and the client's position (§7.5, §7.6).
public struct FeedPlan: Sendable, Hashable {
    public let scans: [ChannelScan]
    public let revocations: [RevocationScan]

    /// - Parameters:
    ///   - channels: only these, where the client asked for some.
    ///   - through: the last sequence that this pass covers.
    ///   - repeatsLosses: for clients that have to end with exactly what they may see, wherever they were interrupted.
    ///     Sync Gateway does not repeat them, and readers of its REST feed do not expect it.
    public init(
        view: AccessView, since: SequenceID, through: UInt64, channels wanted: Set<String>? = nil,
        wantsRevocations: Bool, repeatsLosses: Bool = true
    ) {
        scans = view.scannedChannels(wanted, since: since).flatMap { name, heldSince in
            let heard = view.heard(
                of: name, at: since.told, repeatsLosses: wantsRevocations && repeatsLosses)
            return Self.scans(of: name, heldSince: heldSince, heard: heard, since: since, through: through)
        }
        revocations = wantsRevocations ? Self.revocations(view: view, since: since, through: through) : []
    }

    private static func scans(
        of channel: String, heldSince: UInt64, heard: UInt64?, since: SequenceID, through: UInt64
    ) -> [ChannelScan] {
        guard heldSince <= through else { return [] }
        let resumes = since.triggeredBy == heldSince && since.triggeredBy > 0
        let position = since.position
        if heldSince > 1, resumes || position < heldSince {
            let backfill = ChannelScan(
                channel: channel, after: resumes ? since.sequence : 0, through: heldSince - 1, triggeredBy: heldSince,
                goneAfter: since == .zero ? .max : heard ?? .max)
            return [backfill, ChannelScan(channel: channel, after: heldSince - 1, through: through, triggeredBy: 0)]
        }
        let after = since.triggeredBy > 0 ? position - 1 : position
        return [ChannelScan(channel: channel, after: after, through: through, triggeredBy: 0)]
    }

    private static func revocations(view: AccessView, since: SequenceID, through: UInt64) -> [RevocationScan] {
        let position = since.low > 0 ? since.low : since.triggeredBy > 0 ? since.triggeredBy : since.sequence
        return view.lost.compactMap { channel in
            let ended = channel.spans.filter {
                $0.end <= through && ($0.end > position || $0.end == since.triggeredBy)
            }
            guard let revokedAt = ended.map(\.end).max() else { return nil }
            return RevocationScan(
                channel: channel.name, revokedAt: revokedAt,
                after: since.triggeredBy == revokedAt ? since.sequence : 0,
                // Somebody who resumes has not had all of what happened at that very change.
                clientSequence: since.triggeredBy > 0 ? since.triggeredBy - 1 : since.safeSequence,
                heldSpans: channel.spans)
        }
    }
}

extension AccessView {
    /// The channels by whose changes a feed has news: all that are held, or those of them that were asked for.
    ///
    /// Whoever holds `*` need not look at others; where particular channels are wanted, `*` opens every one of them.
    package func watchedChannels(_ wanted: Set<String>?) -> [(String, UInt64)] {
        if let everything = channels[Channel.all] {
            guard let wanted, !wanted.contains(Channel.all) else { return [(Channel.all, everything)] }
            return wanted.sorted().map { ($0, min(everything, channels[$0] ?? everything)) }
        }
        return heldChannels(wanted)
    }

    /// The channels to read for a client at `since`.
    ///
    /// While `*` is new to the client the others are read, too: the client may stop within the old documents, and must
    /// have had by then what was new in the channels that it held before.
    func scannedChannels(_ wanted: Set<String>?, since: SequenceID) -> [(String, UInt64)] {
        if let everything = channels[Channel.all], wanted?.contains(Channel.all) ?? true,
            everything > 1, since.position <= everything
        {
            return heldChannels(nil)
        }
        return watchedChannels(wanted)
    }

    private func heldChannels(_ wanted: Set<String>?) -> [(String, UInt64)] {
        // Asking for `*` means all that the user may see.
        let isWanted = { (name: String) in wanted.map { $0.contains(name) || $0.contains(Channel.all) } ?? true }
        return channels.since.filter { isWanted($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension SequenceID {
    /// The place in the feed: that of the access change for rows which it brought.
    fileprivate var position: UInt64 { triggeredBy > 0 ? triggeredBy : safeSequence }

    /// How far whatever was to be told has been told. Within the rows of an access change that is no further than they
    /// go: among them is what a lost channel had to tell. They stand before the change, even those of documents that
    /// changed after it.
    fileprivate var told: UInt64 { triggeredBy > 0 ? min(sequence, triggeredBy - 1) : safeSequence }
}
