/// What a request of ours is. It is in the request's tag, so that an answer finds its way without a table of requests.
enum RequestKind: UInt64, Sendable {
    case getCollections
    case getCheckpoint
    case setCheckpoint
    case subChanges
    case proposeChanges
    case rev
    /// `getAttachment` or `proveAttachment`
    case attachment
    /// Nothing comes back that matters.
    case other
    case changes
}

/// A tag that says what the request is and of which collection.
struct RequestTag: Sendable {
    /// Collections that the twelve bits for them can distinguish.
    static let collections = 0x1000

    let value: UInt64

    init(_ value: UInt64) { self.value = value }

    init(_ kind: RequestKind, collection: Int, number: UInt64) {
        value = number << 16 | UInt64(collection) << 4 | kind.rawValue
    }

    var kind: RequestKind { RequestKind(rawValue: value & 0xF) ?? .other }
    var collection: Int { Int(value >> 4) & (Self.collections - 1) }
}
