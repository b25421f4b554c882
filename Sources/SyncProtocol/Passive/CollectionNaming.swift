import BLIPProtocol

/// The collections to which the client's indexes refer (§4.1).
enum CollectionNaming: Sendable, Equatable {
    /// Nothing was asked yet.
    case undecided
    /// The client names no collections: its requests refer to the default collection.
    case byDefault
    case resolving
    /// Which of the names exist.
    case byIndex([Bool])

    /// The collection to which a request refers. If the first request names none, no later one may.
    mutating func collection(of message: BLIPMessage, hasDefault: Bool) throws(BLIPErrorReply) -> Int {
        let text = message.properties.nonEmpty(MessageProperty.collection)
        switch self {
        case .undecided, .byDefault, .resolving:
            guard text == nil, self != .resolving else {
                throw .badRequest("Passing collection requires calling getCollections first")
            }
            guard hasDefault else {
                throw .badRequest(
                    "Collection property not specified and default collection is not configured for this database")
            }
            self = .byDefault
            return 0
        case .byIndex(let exist):
            guard let text else {
                throw .badRequest("GetCollections already occurred, subsequent messages need a Collection property")
            }
            guard let index = Int(text), exist.indices.contains(index), exist[index] else {
                throw .badRequest("Collection property needs to be a valid index of getCollections")
            }
            return index
        }
    }

    /// The value of the `collection` property in our own requests.
    func wireIndex(_ collection: Int) -> Int? {
        switch self {
        case .undecided, .byDefault, .resolving: nil
        case .byIndex: collection
        }
    }
}
