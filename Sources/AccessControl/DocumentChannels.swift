import DocumentValues

/// The channels of a document, and those that it has left.
///
/// The document has at most one entry in a channel's list: at its current sequence while it is in the channel, at the
/// sequence of the change that removed it afterwards.
public struct DocumentChannels: Sendable, Hashable {
    /// Channels of the current revision, with the sequence since which the document is in each.
    public private(set) var current: [Name: UInt64]
    public private(set) var past: [Removal]

    /// A stay in a channel that has ended.
    public struct Removal: Sendable, Hashable {
        public let channel: Name
        public let span: SequenceSpan
        /// Whether the entry for this removal is still there, that is, no later stay replaced it.
        public let isLatest: Bool

        public init(channel: Name, span: SequenceSpan, isLatest: Bool) {
            self.channel = channel
            self.span = span
            self.isLatest = isLatest
        }
    }

    public init(current: [Name: UInt64] = [:], past: [Removal] = []) {
        self.current = current
        self.past = past
    }

    /// Changes of the channels' lists that a new revision brings.
    public struct EntryChanges: Sendable, Hashable {
        /// Channels whose entry moves from the document's old sequence (or comes again).
        public var entered: Set<Name> = []
        /// Channels that the document left: their entry becomes a removal at the new sequence.
        public var left: Set<Name> = []
        /// Removal entries that a new stay replaces.
        public var replacedRemovals: [Removal] = []
    }

    /// Takes over the channels of a new revision and returns the changes of the channels' lists.
    public mutating func update(to channels: Set<Name>, at sequence: UInt64) -> EntryChanges {
        var changes = EntryChanges()
        for (channel, start) in current where !channels.contains(channel) {
            changes.left.insert(channel)
            past.append(Removal(channel: channel, span: SequenceSpan(start: start, end: sequence), isLatest: true))
            current[channel] = nil
        }
        changes.entered = channels
        let regained = channels.filter { current[$0] == nil }
        for channel in regained { current[channel] = sequence }
        if !regained.isEmpty {
            for index in past.indices where past[index].isLatest && regained.contains(past[index].channel) {
                changes.replacedRemovals.append(past[index])
                past[index] = Removal(channel: past[index].channel, span: past[index].span, isLatest: false)
            }
        }
        trim()
        return changes
    }

    /// Moves the entries of removals to a new sequence, if the document has changed since. A tombstone is in no channel:
    /// without this, a second tombstone would not be announced to the clients that have the first.
    ///
    /// - Parameter changes: of the same revision; the moved entries are added to them.
    public mutating func move(_ removals: Set<Removal>, to sequence: UInt64, in changes: inout EntryChanges) {
        for index in past.indices where past[index].isLatest && removals.contains(past[index]) {
            let old = past[index]
            changes.replacedRemovals.append(old)
            changes.left.insert(old.channel)
            past[index] = Removal(
                channel: old.channel, span: SequenceSpan(start: old.span.start, end: sequence), isLatest: true)
        }
    }

    /// The number of channels that the document will have been in after a change, if that is above the limit. It is
    /// `nil` also if no channel is new to the document, because a document can always leave channels, and return to old
    /// ones.
    public func excess(with channels: Set<Name>) -> Int? {
        guard current.count + past.count + channels.count > AccessLimits.channelsOverTime else { return nil }
        let known = Set(past.map(\.channel)).union(current.keys)
        let total = known.union(channels).count
        return total > max(known.count, AccessLimits.channelsOverTime) ? total : nil
    }

    /// The stays of the document in a channel, including the present one.
    public func stays(in channel: Name) -> [SequenceSpan] {
        var spans = past.filter { $0.channel == channel }.map(\.span)
        if let since = current[channel] { spans.append(SequenceSpan(start: since, end: .max)) }
        return spans
    }

    /// Forgets old stays without an entry first, so that a document that often changes its channels stays small.
    private mutating func trim() {
        var excess = past.count - Self.pastLimit
        guard excess > 0 else { return }
        past.removeAll { removal in
            guard excess > 0, !removal.isLatest else { return false }
            excess -= 1
            return true
        }
    }

    private static let pastLimit = 50
}
