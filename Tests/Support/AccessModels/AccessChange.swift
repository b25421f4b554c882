/// One change of a document or of access; each takes one sequence.
public enum AccessChange: Sendable, Hashable {
    /// A new revision, with the calls of its sync function.
    case write(WrittenDocument)
    /// An administrator gives a principal these channels instead of the former ones.
    case channels(Set<String>, principal: String)
    /// An administrator gives the user these roles instead of the former ones.
    case roles(Set<String>)
}

/// The parts of a revision that matter for access.
public struct WrittenDocument: Sendable, Hashable {
    public var id: String
    public var channels: Set<String> = []
    public var isDeleted = false
    /// `access(…)`: channels by principal.
    public var access: [String: Set<String>] = [:]
    /// `role(…)`: roles of the user.
    public var roles: Set<String> = []
}
