import DocumentValues

/// What one user sees in one collection, at one moment.
public struct AccessView: Sendable, Hashable {
    /// Every channel the user holds, through roles too, with the sequence since which.
    public let channels: TimedSet
    /// Channels that the user held and holds no more, by name.
    let lost: [LostChannel]
    /// When the channels that are held were held before.
    private let earlier: [String: [SequenceSpan]]

    struct LostChannel: Sendable, Hashable {
        let name: String
        /// When the user held it, by their ends.
        let spans: [SequenceSpan]
    }

    /// Sees everything: an administrator.
    public static let all = AccessView(channels: TimedSet([Channel.all: 1]))

    private init(channels: TimedSet) {
        self.channels = channels
        lost = []
        earlier = [:]
    }

    /// - Parameter role: looks up a role; one that does not exist (yet) gives `nil`.
    public init(user: UserGrants, collection: CollectionName, role: (String) -> RoleGrants?) {
        var held = user.channels.held[collection] ?? TimedSet()
        for (name, grantedAt) in user.roles.since {
            guard let channels = role(name)?.channels.held[collection] else { continue }
            held.formUnion(channels.notBefore(grantedAt))
        }
        held.grant(Channel.everybody, at: 1)
        channels = held
        let past = PastChannels(user: user, collection: collection, role: role)
        // Who sees everything has lost nothing.
        lost = held.contains(Channel.all) ? [] : past.lost(except: held)
        earlier = past.spans.filter { held.contains($0.key) }
    }

    /// The last sequence up to which a client at `position` has heard what went from a channel before it was granted this
    /// time; `nil`: it can have nothing of the channel.
    ///
    /// Where a client stands does not tell what it was told on the way there: it may have got there by a pass that was
    /// made while the channel was lost, and have stopped before the loss itself was told. So it hears again all that went
    /// since the channel was first held; before that it had nothing of it.
    ///
    /// Whoever holds `*` is told of no lost channel, so that a new `*` has to tell what went from those.
    ///
    /// - Parameter repeatsLosses: without it a client is told only what is new to its position.
    func heard(of channel: String, at position: UInt64, repeatsLosses: Bool) -> UInt64? {
        let spans = earlier[channel] ?? []
        guard channel == Channel.all || !spans.isEmpty else { return nil }
        guard repeatsLosses else { return position }
        return channel == Channel.all ? 0 : spans.map(\.start).min().map { $0 - min($0, 1) }
    }

    public var seesAll: Bool { channels.contains(Channel.all) }

    /// Whether a document that is in these channels can be seen.
    public func sees(_ documentChannels: some Sequence<String>) -> Bool {
        seesAll || documentChannels.contains { channels.contains($0) }
    }
}

/// Collects, over the user and every role that is or was held, when each channel was held by grants that have ended.
private struct PastChannels {
    private let collection: CollectionName
    private(set) var spans: [String: [SequenceSpan]] = [:]

    init(user: UserGrants, collection: CollectionName, role: (String) -> RoleGrants?) {
        self.collection = collection
        for (name, list) in user.channels.history[collection]?.spans ?? [:] {
            for span in list { note(name, span) }
        }
        for roleName in user.roles.names.union(user.roleHistory.names) {
            guard let role = role(roleName) else { continue }
            var memberships = user.roleHistory[roleName]
            if let since = user.roles[roleName] { memberships.append(SequenceSpan(start: since, end: .max)) }
            for membership in memberships { noteChannels(of: role, during: membership) }
        }
    }

    func lost(except held: TimedSet) -> [AccessView.LostChannel] {
        spans.filter { !held.contains($0.key) }
            .map { AccessView.LostChannel(name: $0.key, spans: $0.value.sorted { $0.end < $1.end }) }
            .sorted { $0.name < $1.name }
    }

    private mutating func note(_ name: String, _ span: SequenceSpan) {
        // Without an end it is held now.
        guard span.start < span.end, span.end < .max else { return }
        spans[name, default: []].append(span)
    }

    private mutating func noteChannels(of role: RoleGrants, during membership: SequenceSpan) {
        for (name, list) in role.channels.history[collection]?.spans ?? [:] {
            for span in list { note(name, span.intersection(membership)) }
        }
        for (name, since) in role.channels.held[collection]?.since ?? [:] {
            note(name, SequenceSpan(start: since, end: .max).intersection(membership))
        }
    }
}
