import BLIPProtocol

/// What a request of ours was; is in its tag, so that no table of requests is needed.
enum RequestKind: UInt64 {
    case getCollections
    case getCheckpoint
    case setCheckpoint
    case subChanges
    case proposeChanges
    case rev
    case attachment
    /// Nothing comes back that matters.
    case other
}

/// A tag that says what the request was and of which collection.
struct RequestTag {
    let value: UInt64

    init(_ value: UInt64) { self.value = value }

    init(_ kind: RequestKind, collection: Int, number: UInt64) {
        value = number << 16 | UInt64(collection) << 4 | kind.rawValue
    }

    var kind: RequestKind { RequestKind(rawValue: value & 0xF) ?? .other }
    var collection: Int { Int(value >> 4) & (ActiveLimits.collections - 1) }
}

/// Where the parts of a session put what they want done, and what they need to know.
struct ActiveContext: Sendable {
    let namesCollections: Bool
    var now: Timestamp = 0
    var actions: [ActiveAction] = []
    var outgoing: [BLIPOutgoing] = []
    var events: [DocumentEvent] = []
    var downloads = DownloadsUnderWay()
    /// The first failure that concerns the whole replication.
    var failure: SyncFailure?
    var completed: UInt64 = 0
    var total: UInt64 = 0
    private var lastNumber: UInt64 = 0

    init(namesCollections: Bool) { self.namesCollections = namesCollections }

    /// What the `collection` property says.
    func wireIndex(_ collection: Int) -> Int? { namesCollections ? collection : nil }

    mutating func tag(_ kind: RequestKind, _ collection: Int) -> UInt64 {
        lastNumber += 1
        return RequestTag(kind, collection: collection, number: lastNumber).value
    }

    @discardableResult
    mutating func send(_ request: BLIPRequest, _ kind: RequestKind, _ collection: Int) -> UInt64 {
        let tag = tag(kind, collection)
        outgoing.append(.request(request, tag: tag))
        return tag
    }

    mutating func respond(
        _ number: UInt32, _ properties: BLIPProperties = [:], body: [UInt8] = [], isCompressed: Bool = false
    ) {
        outgoing.append(.response(to: number, properties: properties, body: .bytes(body), isCompressed: isCompressed))
    }

    mutating func refuse(_ number: UInt32?, _ error: BLIPErrorReply) {
        guard let number else { return }
        outgoing.append(.failure(to: number, error))
    }

    mutating func fail(_ failure: SyncFailure) {
        if self.failure == nil { self.failure = failure }
    }
}
