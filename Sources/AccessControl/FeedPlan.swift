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
    /// When the user held the channel and the client may have fetched what was new.
    public let heldSpans: [SequenceSpan]

    /// Whether the client may have a document that is or was in the channel.
    ///
    /// - Parameters:
    ///   - sequence: of the document's entry in the channel.
    ///   - membership: when the document was in the channel.
    public func mayHave(sequence: UInt64, membership: [SequenceSpan]) -> Bool {
        if sequence <= clientSequence { return true }
        return heldSpans.contains { held in
            held.end > clientSequence && membership.contains { $0.overlaps(held) }
        }
    }
}

/// What has to be read for one pass of a feed: pure arithmetic over grants and the client's position (§7.5, §7.6).
public struct FeedPlan: Sendable, Hashable {
    public let scans: [ChannelScan]
    public let revocations: [RevocationScan]

    /// - Parameters:
    ///   - channels: only these, where the client asked for some.
    ///   - through: the last sequence that this pass covers.
    public init(
        view: AccessView, since: SequenceID, through: UInt64, channels wanted: Set<String>? = nil,
        wantsRevocations: Bool
    ) {
        scans = view.scannedChannels(wanted).flatMap { name, heldSince in
            Self.scans(of: name, heldSince: heldSince, since: since, through: through)
        }
        revocations = wantsRevocations ? Self.revocations(view: view, since: since, through: through) : []
    }

    private static func scans(
        of channel: String, heldSince: UInt64, since: SequenceID, through: UInt64
    ) -> [ChannelScan] {
        guard heldSince <= through else { return [] }
        let resumes = since.triggeredBy == heldSince && since.triggeredBy > 0
        let position = since.triggeredBy > 0 ? since.triggeredBy : since.safeSequence
        let isNews = since.triggeredBy > 0 ? since.triggeredBy < heldSince : since.safeSequence < heldSince
        if heldSince > 1, resumes || isNews {
            let backfill = ChannelScan(
                channel: channel, after: resumes ? since.sequence : 0, through: heldSince - 1, triggeredBy: heldSince)
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
                clientSequence: since.triggeredBy > 0 ? since.triggeredBy : since.safeSequence,
                heldSpans: channel.spans)
        }
    }
}

extension AccessView {
    /// The channels to read: all that are held, or those of them that were asked for.
    ///
    /// Whoever holds `*` reads it alone; where particular channels are wanted, `*` opens every one of them.
    package func scannedChannels(_ wanted: Set<String>?) -> [(String, UInt64)] {
        if let everything = channels[Channel.all] {
            guard let wanted, !wanted.contains(Channel.all) else { return [(Channel.all, everything)] }
            return wanted.sorted().map { ($0, min(everything, channels[$0] ?? everything)) }
        }
        // Asking for `*` means all that the user may see.
        let isWanted = { (name: String) in wanted.map { $0.contains(name) || $0.contains(Channel.all) } ?? true }
        return channels.since.filter { isWanted($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
