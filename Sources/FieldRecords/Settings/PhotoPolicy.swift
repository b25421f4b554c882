/// When photos of others come to this laptop. Own photos are always sent with their records.
public enum PhotoPolicy: String, Sendable, Hashable, CaseIterable {
    /// With each sync, behind the records.
    case always
    /// When a command needs them.
    case onDemand = "on-demand"
    /// With each sync whose first photos show that the link is fast enough; otherwise when a command needs them.
    case goodLink = "good-link"
}
