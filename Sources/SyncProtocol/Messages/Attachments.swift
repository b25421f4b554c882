import BLIPProtocol
import DocumentValues
import NIOCore

/// Asks for the bytes of an attachment.
public struct GetAttachment: Sendable, Hashable {
    public var collection: Int?
    public var digest: String
    /// The document that refers to it; from version 3 on a gateway requires it.
    public var documentID: String?
    public var compresses: Bool

    public init(collection: Int?, digest: String, documentID: String?, compresses: Bool = true) {
        self.collection = collection
        self.digest = digest
        self.documentID = documentID
        self.compresses = compresses
    }

    public init(_ message: BLIPMessage) throws(BLIPErrorReply) {
        guard let digest = message.properties.nonEmpty(MessageProperty.digest) else {
            throw .badRequest("Missing 'digest'")
        }
        self.digest = digest
        collection = message.properties.integer(MessageProperty.collection)
        documentID = message.properties.nonEmpty(MessageProperty.documentID)
        compresses = message.properties.isTrue(MessageProperty.compress)
    }

    public var request: BLIPRequest {
        var properties = BLIPProperties.request(.getAttachment, collection: collection)
        properties.append(MessageProperty.digest, value: digest)
        properties.append(MessageProperty.documentID, ifPresent: documentID)
        if compresses { properties.append(MessageProperty.compress, value: "true") }
        return BLIPRequest(properties: properties, streamsReply: true)
    }
}

/// Asks the client to show that it has an attachment's bytes and not only their digest.
public struct ProveAttachment: Sendable, Hashable {
    public var collection: Int?
    public var digest: String
    public var nonce: [UInt8]

    public init(collection: Int?, digest: String, nonce: [UInt8]) {
        self.collection = collection
        self.digest = digest
        self.nonce = nonce
    }

    public init(_ message: BLIPMessage) throws(BLIPErrorReply) {
        guard let digest = message.properties.nonEmpty(MessageProperty.digest) else {
            throw .badRequest("Missing 'digest'")
        }
        self.digest = digest
        collection = message.properties.integer(MessageProperty.collection)
        nonce = message.bodyBytes
        guard SyncLimits.nonceLength.contains(nonce.count) else { throw .badRequest("Missing or bad nonce") }
    }

    public var request: BLIPRequest {
        var properties = BLIPProperties.request(.proveAttachment, collection: collection)
        properties.append(MessageProperty.digest, value: digest)
        return BLIPRequest(properties: properties, body: .bytes(nonce))
    }
}
