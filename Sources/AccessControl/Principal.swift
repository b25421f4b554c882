import DocumentValues

/// The channels of a user or a role in every collection: those that are held, and those that were.
public struct ChannelGrants: Sendable, Hashable {
    /// Granted by an administrator or by documents; the public channel is not among them.
    public var held: [CollectionName: TimedSet]
    public var history: [CollectionName: GrantHistory]

    public init(held: [CollectionName: TimedSet] = [:], history: [CollectionName: GrantHistory] = [:]) {
        self.held = held
        self.history = history
    }
}

/// The part of a user that decides on access: without password and sessions.
public struct UserGrants: Sendable, Hashable {
    public var name: Name
    public var channels: ChannelGrants
    public var roles: TimedSet
    public var roleHistory: GrantHistory

    public init(
        name: Name, channels: ChannelGrants = ChannelGrants(), roles: TimedSet = TimedSet(),
        roleHistory: GrantHistory = GrantHistory()
    ) {
        self.name = name
        self.channels = channels
        self.roles = roles
        self.roleHistory = roleHistory
    }
}

/// A role. A deleted one holds nothing, but its history still shows the channels that its members lost.
public struct RoleGrants: Sendable, Hashable {
    public var name: Name
    public var channels: ChannelGrants
    public var isDeleted: Bool

    public init(name: Name, channels: ChannelGrants = ChannelGrants(), isDeleted: Bool = false) {
        self.name = name
        self.channels = channels
        self.isDeleted = isDeleted
    }
}

/// The change of one channel or role of a principal when its grants change.
public enum GrantChange: Sendable, Hashable {
    case none
    /// It is held from this sequence on.
    case begins(UInt64)
    /// It is not held any more; the span in which it was.
    case ends(SequenceSpan)

    /// - Parameters:
    ///   - since: the sequence since which it is held; `nil` if it is not.
    ///   - isGranted: whether an administrator or any document grants it after the change.
    ///   - sequence: of the change.
    ///
    /// While at least one grant remains, the principal holds it from the former beginning on, so that documents are not
    /// sent again.
    public init(since: UInt64?, isGranted: Bool, at sequence: UInt64) {
        switch (since, isGranted) {
        case (nil, true): self = .begins(sequence)
        case (let since?, false): self = .ends(SequenceSpan(start: since, end: sequence))
        case (nil, false), (_?, true): self = .none
        }
    }
}

/// The names that users and roles may have.
public enum PrincipalName {
    /// The user that represents requests without credentials.
    public static let guest: Name = "GUEST"
    /// How a sync function writes a role.
    public static let rolePrefix = "role:"

    /// `nil` if the name is allowed, else why it is not.
    public static func problem(with name: String) -> String? {
        if name.utf8.count > AccessLimits.principalNameLength {
            return "length exceeds \(AccessLimits.principalNameLength)"
        }
        if name.utf8.contains(where: forbidden.contains) { return "contains '/', ':', ',', or '`'" }
        guard name.unicodeScalars.contains(where: isLetterOrNumber) else {
            return "must contain alphanumeric"
        }
        return nil
    }

    /// A role's name without the prefix; `nil` for the key of a user.
    public static func role(ofKey key: Name) -> Name? { key.text.droppingExactPrefix(rolePrefix).map { Name($0) } }

    private static let forbidden: [UInt8] = [
        UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "`"),
    ]

    private static func isLetterOrNumber(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
