/// Limits of stored and accepted data.
public enum AccessLimits {
    /// Past spans kept for one channel or role of one principal.
    public static let spansPerGrant = 10
    /// UTF-8 bytes of a user's or role's name.
    public static let principalNameLength = 239
    /// UTF-8 bytes of a channel's name. Channels are often named for a document, whose id has up to 250. The name is stored
    /// in each grant and each entry of a document, and a user may hold tens of thousands.
    public static let channelNameLength = 512
    /// Channels that one document may be in: each is an entry that every revision moves.
    public static let channelsPerDocument = 10_000
    /// Channels that one document may be in over its life: each that it left keeps an entry, which every revision copies.
    public static let channelsOverTime = 50_000
    /// Channels and roles that one document may grant, counted once for each user or role that gets them.
    public static let grantsPerDocument = 50_000
    /// Channels and roles that all documents together may grant to one user or role: each request of that user, and each
    /// call of a sync function in the user's name, takes all of them into account.
    public static let grantsPerPrincipal = 50_000
    /// Stays of one user or role in channels and roles, including ended ones, from which on documents cannot grant more.
    /// Each stay is kept, so that a client that was long away is notified of its end, and each request of that user has to
    /// read it.
    public static let staysPerPrincipal = 100_000
}
