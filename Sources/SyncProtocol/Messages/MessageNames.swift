import DocumentValues

/// The `Profile` of every message of the replication protocol.
public enum MessageProfile: String, Sendable, Hashable, CaseIterable {
    case getCollections
    case getCheckpoint
    case setCheckpoint
    case subChanges
    case unsubChanges
    case changes
    case proposeChanges
    case rev
    /// The same from a client that keeps no documents.
    case putRev
    case norev
    case getAttachment
    case proveAttachment
    case getRev
    case ping = "PING"

    /// The profile of a name, from a table that is made once: each message names its profile.
    package init?(exactly text: String) {
        guard let found = Self.named[Name(text)] else { return nil }
        self = found
    }

    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { (Name($0.rawValue), $0) })
}

/// The names of message properties, as both reference products write them.
public enum MessageProperty {
    public static let collection = "collection"
    public static let client = "client"
    public static let rev = "rev"
    public static let since = "since"
    public static let continuous = "continuous"
    public static let batch = "batch"
    public static let sendReplacementRevs = "sendReplacementRevs"
    public static let versioning = "versioning"
    public static let activeOnly = "activeOnly"
    public static let revocations = "revocations"
    public static let filter = "filter"
    public static let channels = "channels"
    public static let maxHistory = "maxHistory"
    public static let blobs = "blobs"
    public static let deltas = "deltas"
    public static let conflictIncludesRev = "conflictIncludesRev"
    public static let id = "id"
    public static let sequence = "sequence"
    public static let noConflicts = "noconflicts"
    public static let deleted = "deleted"
    public static let history = "history"
    public static let deltaSource = "deltaSrc"
    public static let replacedRev = "replacedRev"
    public static let error = "error"
    public static let reason = "reason"
    public static let digest = "digest"
    public static let documentID = "docID"
    public static let compress = "compress"
    public static let ifNotRev = "ifNotRev"
}

/// The supported versions of the replication protocol.
public enum SyncSubprotocol: String, Sendable, Hashable, CaseIterable {
    case version3 = "BLIP_3+CBMobile_3"
    case version2 = "BLIP_3+CBMobile_2"

    /// The first of the client's offers, in its order, that is supported.
    public static func selected(from offers: [String]) -> SyncSubprotocol? {
        offers.lazy.compactMap { SyncSubprotocol(exactly: $0) }.first
    }

    /// Whether rows carry a bit set of flags and removals are reported by them; version 2 sends `_removed` bodies.
    public var hasRowFlags: Bool { self == .version3 }
}
