import DocumentValues

/// A part of a channel's entries that belongs to a feed.
public struct ChannelScan: Sendable, Hashable {
    public let channel: Name
    /// Entries after this sequence …
    public let after: UInt64
    /// … up to and including this one.
    public let through: UInt64
    /// The access change because of which old entries are sent again; 0 for ordinary ones.
    public let triggeredBy: UInt64

    public init(channel: Name, after: UInt64, through: UInt64, triggeredBy: UInt64 = 0) {
        self.channel = channel
        self.after = after
        self.through = through
        self.triggeredBy = triggeredBy
    }

    /// Whether an entry belongs to the feed: if old entries are sent again, only present documents are, as in Sync
    /// Gateway.
    ///
    /// - Parameter isGone: the entry shows that the document left the channel, or that it was deleted.
    public func includes(isGone: Bool) -> Bool { triggeredBy == 0 || !isGone }
}

/// Documents that left a channel before its present grant, for users who held the channel earlier.
///
/// While the user did not hold the channel, removals were not reported, and a client that was offline may also have
/// missed earlier ones. Each removal and tombstone has its own sequence in the feed, not one among the rows of the
/// grant. So the sequence that a client has reached shows which removals were reported to it, however many rows it
/// takes at once and wherever it stops.
public struct GoneScan: Sendable, Hashable {
    public let channel: Name
    /// Entries after this sequence …
    public let after: UInt64
    /// … up to and including this one.
    public let through: UInt64
    /// The spans in which the user held the channel.
    public let heldSpans: [SequenceSpan]

    /// Whether a client may have a document that left the channel.
    ///
    /// - Parameter membership: the spans in which the document was in the channel.
    public func mayHave(membership: @autoclosure () -> [SequenceSpan]) -> Bool {
        // Every document has always been in `*`.
        if channel == Channel.all { return true }
        let membership = membership()
        return heldSpans.contains { held in membership.contains { $0.overlaps(held) } }
    }
}

/// A channel whose documents a client has to purge.
public struct RevocationScan: Sendable, Hashable {
    public let channel: Name
    /// The sequence of the loss: rows are `"revokedAt:sequence"`.
    public let revokedAt: UInt64
    /// Entries after this sequence, when a client resumes within these very rows.
    public let after: UInt64
    /// The spans in which the user held the channel. All of them count: a client that returns only after the channel
    /// was regained gets the report of the loss with the next access change, and it may be interrupted before that
    /// again.
    public let heldSpans: [SequenceSpan]
    /// Documents that left before the loss are reported at their own sequence.
    public let isLossReportedBefore: Bool

    /// Whether the client may have a document that is or was in the channel, so that it has to be reported here.
    ///
    /// A document that was in the channel before the loss counts as known, whatever the client's position: the client
    /// may have taken some of these very rows, and a position among them does not show the one before.
    ///
    /// - Parameters:
    ///   - sequence: of the document's entry in the channel.
    ///   - isGone: the entry shows that the document left the channel, or that it was deleted.
    ///   - membership: the spans in which the document was in the channel.
    public func includes(
        _ sequence: UInt64, isGone: Bool, membership: @autoclosure () -> [SequenceSpan]
    ) -> Bool {
        if sequence < revokedAt { return !(isGone && isLossReportedBefore) }
        // Every document has always been in `*`.
        if channel == Channel.all { return true }
        let membership = membership()
        return heldSpans.contains { held in membership.contains { $0.overlaps(held) } }
    }
}

/// The entries to read for one pass of a feed: pure arithmetic over grants and the client's position (§7.5, §7.6).
public struct FeedPlan: Sendable, Hashable {
    public let scans: [ChannelScan]
    public let gone: [GoneScan]
    public let revocations: [RevocationScan]

    /// - Parameters:
    ///   - channels: only these, if the client requested some.
    ///   - through: the last sequence that this pass covers.
    ///   - reportsLossesInPlace: for clients that must end with exactly the documents that they may see, wherever they were
    ///     interrupted and whatever has changed since. Then a document that left a channel before the channel was lost is
    ///     reported at its own sequence, not at that of the loss. Readers of Sync Gateway's REST feed expect it at the loss.
    public init(
        view: AccessView, since: SequenceID, through: UInt64, channels wanted: Set<Name>? = nil,
        wantsRevocations: Bool, reportsLossesInPlace: Bool = true
    ) {
        let reportsLossesInPlace = reportsLossesInPlace && wantsRevocations
        scans = view.scannedChannels(wanted, since: since).flatMap { channel in
            Self.scans(of: channel, since: since, through: through)
        }
        gone = view.goneChannels(wanted, withLost: reportsLossesInPlace).compactMap { channel in
            // From the first time that it was held: before that the client had no document of it.
            let after = max(since.reported, max(1, channel.spans[0].start) - 1)
            let last = min(through, max(1, channel.before) - 1)
            guard after < last else { return nil }
            return GoneScan(channel: channel.name, after: after, through: last, heldSpans: channel.spans)
        }
        revocations =
            wantsRevocations
            ? Self.revocations(view: view, since: since, through: through, reportsLosses: reportsLossesInPlace) : []
    }

    private static func scans(
        of channel: AccessView.ScannedChannel, since: SequenceID, through: UInt64
    ) -> [ChannelScan] {
        let heldSince = channel.since
        guard heldSince <= through else { return [] }
        let name = channel.name
        let last = min(through, channel.through)
        if heldSince > 1, since.triggeredBy == heldSince || since.position < heldSince {
            let after = since.triggeredBy == heldSince ? since.sequence : 0
            return [
                ChannelScan(channel: name, after: after, through: heldSince - 1, triggeredBy: heldSince),
                ChannelScan(channel: name, after: heldSince - 1, through: last),
            ]
        }
        return [ChannelScan(channel: name, after: since.reported, through: last)]
    }

    private static func revocations(
        view: AccessView, since: SequenceID, through: UInt64, reportsLosses: Bool
    ) -> [RevocationScan] {
        let position = since.low > 0 ? since.low : since.triggeredBy > 0 ? since.triggeredBy : since.sequence
        return view.lost.compactMap { channel in
            let ended = channel.spans.filter {
                $0.end <= through && ($0.end > position || $0.end == since.triggeredBy)
            }
            guard let revokedAt = ended.map(\.end).max() else { return nil }
            return RevocationScan(
                channel: channel.name, revokedAt: revokedAt,
                after: since.triggeredBy == revokedAt ? since.sequence : 0, heldSpans: channel.spans,
                isLossReportedBefore: reportsLosses)
        }
    }
}

extension AccessView {
    /// The channels whose changes wake up a feed: all that are held, or the requested ones of them.
    ///
    /// A user who holds `*` needs no others; if particular channels are requested, `*` includes each of them.
    package func watchedChannels(_ wanted: Set<Name>?) -> [(Name, UInt64)] {
        if let everything = channels[Channel.all] {
            guard let wanted, !wanted.contains(Channel.all) else { return [(Channel.all, everything)] }
            return wanted.sorted().map { ($0, min(everything, channels[$0] ?? everything)) }
        }
        return heldChannels(wanted)
    }

    /// An upper bound of their number, without listing them.
    package func mostWatchedChannels(_ wanted: Set<Name>?) -> Int {
        if channels[Channel.all] != nil { return wanted?.count ?? 1 }
        return min(wanted?.count ?? .max, channels.since.count)
    }

    /// A channel to be read.
    struct ScannedChannel {
        let name: Name
        let since: UInt64
        /// The last sequence of this scan; another one reports the rest.
        var through = UInt64.max
    }

    /// The channels to read for a client at `since`.
    ///
    /// While the rows of a new grant of `*` are sent, the other channels are read up to that grant, too. The client may
    /// be interrupted within the old documents, and must have got the news of its former channels by then.
    func scannedChannels(_ wanted: Set<Name>?, since: SequenceID) -> [ScannedChannel] {
        let watched = watchedChannels(wanted).map { ScannedChannel(name: $0.0, since: $0.1) }
        guard let everything = channels[Channel.all], wanted?.contains(Channel.all) ?? true, everything > 1,
            since.position <= everything
        else { return watched }
        return watched
            + heldChannels(nil).filter { $0.1 < everything }.map {
                ScannedChannel(name: $0.0, since: $0.1, through: everything - 1)
            }
    }

    /// The channels that were held before their present grant, with the former spans, and the sequence from which on
    /// their own lists (or that of `*`) report removals.
    ///
    /// - Parameter withLost: channels that are lost, too, up to the loss.
    func goneChannels(
        _ wanted: Set<Name>?, withLost: Bool
    ) -> [(name: Name, spans: [SequenceSpan], before: UInt64)] {
        past.sorted { $0.key < $1.key }.compactMap { name, spans in
            let opened = [channels[name], channels[Channel.all]].compactMap { $0 }.min()
            guard let opened else { return withLost ? (name, spans, spans[spans.count - 1].end) : nil }
            guard isWanted(name, wanted: wanted) else { return nil }
            return (name, spans, opened)
        }
    }

    /// Asking for `*` means all that the user may see.
    private func isWanted(_ name: Name, wanted: Set<Name>?) -> Bool {
        wanted.map { $0.contains(name) || $0.contains(Channel.all) } ?? true
    }

    private func heldChannels(_ wanted: Set<Name>?) -> [(Name, UInt64)] {
        channels.since.filter { isWanted($0.key, wanted: wanted) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension SequenceID {
    /// The position in the feed: for rows that an access change brought, the position of that change.
    fileprivate var position: UInt64 { triggeredBy > 0 ? triggeredBy : safeSequence }

    /// The sequence up to which all rows with a position of their own were reported: within the rows of an access
    /// change, that of the change.
    fileprivate var reported: UInt64 { triggeredBy > 0 ? triggeredBy - 1 : safeSequence }
}
