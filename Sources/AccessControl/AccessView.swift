import DocumentValues

/// The channels that one user sees in one collection, at one moment.
public struct AccessView: Sendable, Hashable {
    /// Every channel that the user holds, also through roles, with the sequence since which it is held.
    public let channels: TimedSet
    /// When channels were held by grants that have ended: by their starts, without overlaps.
    let past: [Name: [SequenceSpan]]

    /// Sees everything: an administrator.
    public static let all = AccessView(channels: TimedSet([Channel.all: 1]))

    private init(channels: TimedSet) {
        self.channels = channels
        past = [:]
    }

    /// - Parameter role: looks up a role; one that does not exist (yet) gives `nil`.
    public init(user: UserGrants, collection: CollectionName, role: (Name) -> RoleGrants?) {
        var held = user.channels.held[collection] ?? TimedSet()
        for (name, grantedAt) in user.roles.since {
            guard let channels = role(name)?.channels.held[collection] else { continue }
            held.formUnion(channels.notBefore(grantedAt))
        }
        held.grant(Channel.everybody, at: 1)
        channels = held
        past = PastChannels(user: user, collection: collection, role: role).merged
    }

    /// Channels that the user held and does not hold any more, by name, with the spans of that. A user who sees everything
    /// has lost nothing.
    var lost: [(name: Name, spans: [SequenceSpan])] {
        guard !seesAll else { return [] }
        return past.filter { !channels.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether the feed of one of the tombstone's channels reports it, or has reported it before a client's present
    /// position.
    ///
    /// A channel that was granted after the deletion, and was not held before, does not.
    ///
    /// - Parameter sequence: of the deletion.
    public func reportsTombstone(in channels: DocumentChannels, at sequence: UInt64) -> Bool {
        channels.current.keys.contains { channel in
            guard let since = self.channels[channel] else { return false }
            if sequence >= since { return true }
            guard let spans = past[channel], let first = spans.first, sequence >= first.start else { return false }
            return channels.stays(in: channel).contains { stay in spans.contains { $0.overlaps(stay) } }
        }
    }

    public var seesAll: Bool { channels.contains(Channel.all) }

    /// Whether a document that is in these channels can be seen.
    public func sees(_ documentChannels: some Sequence<Name>) -> Bool {
        seesAll || documentChannels.contains { channels.contains($0) }
    }
}

/// Collects, over the user and every role that is or was held, when each channel was held by grants that have ended.
private struct PastChannels {
    private let collection: CollectionName
    private var spans: [Name: [SequenceSpan]] = [:]

    init(user: UserGrants, collection: CollectionName, role: (Name) -> RoleGrants?) {
        self.collection = collection
        for (name, list) in user.channels.history[collection]?.spans ?? [:] {
            for span in list { note(name, span: span) }
        }
        for roleName in user.roles.names.union(user.roleHistory.names) {
            guard let role = role(roleName) else { continue }
            var memberships = user.roleHistory[roleName]
            if let since = user.roles[roleName] { memberships.append(SequenceSpan(start: since, end: .max)) }
            for membership in memberships { noteChannels(of: role, during: membership) }
        }
    }

    /// The spans of each channel, sorted by their starts; adjacent ones are joined.
    var merged: [Name: [SequenceSpan]] {
        spans.mapValues { list in
            var merged: [SequenceSpan] = []
            for span in list.sorted(by: { $0.start < $1.start }) {
                if let last = merged.last, span.start <= last.end {
                    merged[merged.count - 1].end = max(last.end, span.end)
                } else {
                    merged.append(span)
                }
            }
            return merged
        }
    }

    private mutating func note(_ name: Name, span: SequenceSpan) {
        // A span without an end is of a channel that is still held.
        guard span.start < span.end, span.end < .max else { return }
        spans[name, default: []].append(span)
    }

    private mutating func noteChannels(of role: RoleGrants, during membership: SequenceSpan) {
        for (name, list) in role.channels.history[collection]?.spans ?? [:] {
            for span in list { note(name, span: span.intersection(membership)) }
        }
        for (name, since) in role.channels.held[collection]?.since ?? [:] {
            note(name, span: SequenceSpan(start: since, end: .max).intersection(membership))
        }
    }
}
