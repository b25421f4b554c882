/// The kind of one of our requests. The request's tag contains it, so that the answer can be dispatched to its part without a
/// table of requests. A part that has to know more of its requests keeps that by their tags.
enum RequestKind: UInt64, CaseIterable, Sendable {
    case getCollections
    case getCheckpoint
    case setCheckpoint
    case subChanges
    case proposeChanges
    case rev
    /// `getAttachment` or `proveAttachment`
    case attachment
    /// The answer's content is ignored.
    case other
    case changes

    /// The part of an active session that sends it.
    var part: SessionPart {
        switch self {
        case .getCollections, .getCheckpoint, .setCheckpoint: .checkpoint
        case .proposeChanges, .rev: .push
        case .subChanges, .attachment: .pull
        case .other, .changes: .other
        }
    }
}

/// A tag that contains the kind of a request and its collection.
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
