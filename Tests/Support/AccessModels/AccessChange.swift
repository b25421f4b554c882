/// One change of what is there and who may see it; each takes one sequence.
public enum AccessChange: Sendable, Hashable {
    /// A new revision, with what its sync function calls.
    case write(WrittenDocument)
    /// An administrator gives a principal these channels instead of what it had.
    case channels(Set<String>, principal: String)
    /// An administrator gives the user these roles instead of what it had.
    case roles(Set<String>)
}

/// A revision as far as access goes.
public struct WrittenDocument: Sendable, Hashable {
    public var id: String
    public var channels: Set<String> = []
    public var isDeleted = false
    /// `access(…)`: channels by principal.
    public var access: [String: Set<String>] = [:]
    /// `role(…)`: roles of the user.
    public var roles: Set<String> = []
}
