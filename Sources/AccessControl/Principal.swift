import DocumentValues

/// What a user and a role have in common: channels granted by an administrator and by documents.
public struct ChannelHolder: Sendable, Hashable {
    /// Granted by an administrator, by collection.
    public var explicit: [CollectionName: TimedSet]
    /// All that is held: explicit, granted by documents, and the public channel.
    public var effective: [CollectionName: TimedSet]
    public var history: [CollectionName: GrantHistory]

    public init(
        explicit: [CollectionName: TimedSet] = [:], effective: [CollectionName: TimedSet] = [:],
        history: [CollectionName: GrantHistory] = [:]
    ) {
        self.explicit = explicit
        self.effective = effective
        self.history = history
    }

    /// Takes over what is held now and remembers, as ended at `sequence`, what is not held any more.
    ///
    /// - Parameter granted: what documents grant, by collection.
    public mutating func refresh(
        granted: [CollectionName: TimedSet], collections: some Sequence<CollectionName>, at sequence: UInt64
    ) {
        var fresh: [CollectionName: TimedSet] = [:]
        for collection in collections {
            var held = explicit[collection] ?? TimedSet()
            if let granted = granted[collection] { held.formUnion(granted) }
            held.grant(Channel.everybody, at: 1)
            fresh[collection] = held
        }
        for (collection, old) in effective {
            history[collection, default: GrantHistory()].record(
                from: old, to: fresh[collection] ?? TimedSet(), at: sequence)
        }
        effective = fresh
    }
}

/// A user as access is decided for: without password and sessions.
public struct UserGrants: Sendable, Hashable {
    public var name: String
    public var channels: ChannelHolder
    public var explicitRoles: TimedSet
    /// All roles: explicit and granted by documents.
    public var roles: TimedSet
    public var roleHistory: GrantHistory

    public init(
        name: String, channels: ChannelHolder = ChannelHolder(), explicitRoles: TimedSet = TimedSet(),
        roles: TimedSet = TimedSet(), roleHistory: GrantHistory = GrantHistory()
    ) {
        self.name = name
        self.channels = channels
        self.explicitRoles = explicitRoles
        self.roles = roles
        self.roleHistory = roleHistory
    }

    public mutating func refreshRoles(granted: TimedSet, at sequence: UInt64) {
        var fresh = explicitRoles
        fresh.formUnion(granted)
        roleHistory.record(from: roles, to: fresh, at: sequence)
        roles = fresh
    }
}

/// A role. A deleted one holds nothing, but its history still tells what its members lost.
public struct RoleGrants: Sendable, Hashable {
    public var name: String
    public var channels: ChannelHolder
    public var isDeleted: Bool

    public init(name: String, channels: ChannelHolder = ChannelHolder(), isDeleted: Bool = false) {
        self.name = name
        self.channels = channels
        self.isDeleted = isDeleted
    }
}

/// The names that users and roles may have.
public enum PrincipalName {
    /// The user that stands for requests without credentials.
    public static let guest = "GUEST"
    /// How a sync function writes a role.
    public static let rolePrefix = "role:"

    /// `nil` if the name is allowed, else why it is not.
    public static func problem(with name: String) -> String? {
        if name.utf8.count > AccessLimits.principalNameLength {
            return "length exceeds \(AccessLimits.principalNameLength)"
        }
        if name.contains(where: { "/:,`".contains($0) }) { return "contains '/', ':', ',', or '`'" }
        guard name.contains(where: { $0.isLetter || $0.isNumber }) else {
            return "must contain alphanumeric character"
        }
        return nil
    }
}
