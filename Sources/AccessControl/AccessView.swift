import DocumentValues

/// What one user sees in one collection, at one moment.
public struct AccessView: Sendable, Hashable {
    /// Every channel the user holds, through roles too, with the sequence since which.
    public let channels: TimedSet
    /// Channels that the user held and holds no more, by name.
    let lost: [LostChannel]

    struct LostChannel: Sendable, Hashable {
        let name: String
        /// When the user held it, by their ends.
        let spans: [SequenceSpan]
    }

    /// Sees everything: an administrator.
    public static let all = AccessView(channels: TimedSet([Channel.all: 1]), lost: [])

    init(channels: TimedSet, lost: [LostChannel]) {
        self.channels = channels
        self.lost = lost
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
        lost = LostChannels(user: user, collection: collection, held: held, role: role).list
    }

    public var seesAll: Bool { channels.contains(Channel.all) }

    /// Whether a document that is in these channels can be seen.
    public func sees(_ documentChannels: some Sequence<String>) -> Bool {
        seesAll || documentChannels.contains { channels.contains($0) }
    }
}

/// Collects, over the user and every role that is or was held, when each channel not held now was held.
private struct LostChannels {
    private let collection: CollectionName
    private let held: TimedSet
    private var spans: [String: [SequenceSpan]] = [:]

    init(user: UserGrants, collection: CollectionName, held: TimedSet, role: (String) -> RoleGrants?) {
        self.collection = collection
        self.held = held
        // Who sees everything has lost nothing.
        guard !held.contains(Channel.all) else { return }
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

    var list: [AccessView.LostChannel] {
        spans.map { AccessView.LostChannel(name: $0.key, spans: $0.value.sorted { $0.end < $1.end }) }
            .sorted { $0.name < $1.name }
    }

    private mutating func note(_ name: String, _ span: SequenceSpan) {
        guard !held.contains(name), span.start < span.end else { return }
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
