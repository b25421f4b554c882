import BLIPProtocol
import DocumentValues
import NIOCore

/// The first message of a replication of named collections: their names, and the ids of their checkpoints.
public struct GetCollections: Sendable, Hashable {
    public var checkpointIDs: [String]
    /// As written: `scope.collection`, or `collection` of the default scope.
    public var collections: [String]

    public init(checkpointIDs: [String], collections: [String]) {
        self.checkpointIDs = checkpointIDs
        self.collections = collections
    }

    public init(_ message: BLIPMessage) throws(BLIPErrorReply) {
        guard let body = try? JSONValue(parsing: message.bodyBytes),
            let ids = body["checkpoint_ids"]?.arrayValue, let names = body["collections"]?.arrayValue,
            ids.count == names.count
        else { throw .badRequest("Invalid getCollections message") }
        checkpointIDs = ids.compactMap(\.stringValue)
        collections = names.compactMap(\.stringValue)
        guard checkpointIDs.count == ids.count, collections.count == names.count else {
            throw .badRequest("Invalid getCollections message")
        }
    }

    public var request: BLIPRequest {
        let body: JSONValue = [
            "checkpoint_ids": .array(checkpointIDs.map { .string($0) }),
            "collections": .array(collections.map { .string($0) }),
        ]
        return BLIPRequest(properties: .request(.getCollections), body: .bytes(body.bytes))
    }
}

/// The gateway's answer for each requested collection.
public struct GetCollectionsReply: Sendable, Hashable {
    public enum Entry: Sendable, Hashable {
        /// The gateway has no such collection.
        case unknown
        case noCheckpoint
        /// The checkpoint's body without its revision, and that revision if it was given.
        case checkpoint(JSONObject, revision: String?)
    }

    public var entries: [Entry]

    public init(entries: [Entry]) { self.entries = entries }

    /// `nil` if the body is no array of objects and nulls.
    public init?(_ message: BLIPMessage) {
        guard let elements = (try? JSONValue(parsing: message.bodyBytes))?.arrayValue else { return nil }
        var entries: [Entry] = []
        for element in elements {
            switch element {
            case .null: entries.append(.unknown)
            case .object(let object) where object.isEmpty: entries.append(.noCheckpoint)
            case .object(let object):
                // Couchbase Lite's listener writes `rev`, Sync Gateway `_rev`.
                let revision = object["rev"]?.stringValue ?? object["_rev"]?.stringValue
                let body = object.filter { $0 != "rev" && $0 != "_rev" && $0 != "_id" }
                entries.append(.checkpoint(body, revision: revision))
            case .bool, .number, .string, .array: return nil
            }
        }
        self.entries = entries
    }

    /// Sync Gateway's form, with `_rev`. A stock client does not read that member, and gets the revision only after a
    /// refused `setCheckpoint`; an additional `rev` saves that round trip.
    public var body: [UInt8] {
        let elements = entries.map { entry -> JSONValue in
            switch entry {
            case .unknown: return .null
            case .noCheckpoint: return .object([:])
            case .checkpoint(var object, let revision):
                object["_rev"] = revision.map { .string($0) }
                object["rev"] = revision.map { .string($0) }
                return .object(object)
            }
        }
        return JSONWriter(sortsKeys: true).bytes(.array(elements))
    }
}

/// Asks for the checkpoint with an id.
public struct GetCheckpoint: Sendable, Hashable {
    public var collection: Int?
    public var client: String

    public init(collection: Int?, client: String) {
        self.collection = collection
        self.client = client
    }

    public init(_ message: BLIPMessage) throws(BLIPErrorReply) {
        collection = message.properties.integer(MessageProperty.collection)
        guard let client = message.properties.nonEmpty(MessageProperty.client) else {
            throw .badRequest("Missing 'client'")
        }
        self.client = client
    }

    public var request: BLIPRequest {
        var properties = BLIPProperties.request(.getCheckpoint)
        properties.append(MessageProperty.client, value: client)
        properties.append(MessageProperty.collection, ifPresent: collection.map { String($0) })
        return BLIPRequest(properties: properties)
    }
}

/// Stores a checkpoint, provided that its revision is still the one last seen.
public struct SetCheckpoint: Sendable, Hashable {
    public var collection: Int?
    public var client: String
    /// `nil` when none is known; written as an empty property.
    public var revision: String?
    public var body: [UInt8]

    public init(collection: Int?, client: String, revision: String?, body: [UInt8]) {
        self.collection = collection
        self.client = client
        self.revision = revision
        self.body = body
    }

    public init(_ message: BLIPMessage) throws(BLIPErrorReply) {
        collection = message.properties.integer(MessageProperty.collection)
        guard let client = message.properties.nonEmpty(MessageProperty.client) else {
            throw .badRequest("Missing 'client'")
        }
        self.client = client
        revision = message.properties.nonEmpty(MessageProperty.rev)
        body = message.bodyBytes
    }

    public var request: BLIPRequest {
        var properties = BLIPProperties.request(.setCheckpoint, collection: collection)
        properties.append(MessageProperty.client, value: client)
        properties.append(MessageProperty.rev, value: revision ?? "")
        return BLIPRequest(properties: properties, body: .bytes(body))
    }
}
