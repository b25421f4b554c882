import BLIPProtocol
import DocumentValues
import NIOCore

/// One revision of a document.
public struct Rev: Sendable, Hashable {
    public var collection: Int?
    public var documentID: String
    public var revision: String
    /// JSON text from a gateway, a decimal number from a client.
    public var sequence: String?
    public var isDeleted = false
    /// Ancestors, newest first, comma-separated; empty when there are none.
    public var history = ""
    public var noConflicts = false
    /// The revision that the body is a difference to; `nil` for a whole body.
    public var deltaSource: String?
    /// The requested revision, if this is a newer one.
    public var replacedRevision: String?
    public var body: ByteBuffer
    /// No answer is wanted.
    public var isNoReply = false

    public init(collection: Int?, documentID: String, revision: String, body: ByteBuffer) {
        self.collection = collection
        self.documentID = documentID
        self.revision = revision
        self.body = body
    }

    public init(_ message: BLIPMessage) throws(BLIPErrorReply) {
        let properties = message.properties
        guard let id = properties.nonEmpty(MessageProperty.id), let rev = properties.nonEmpty(MessageProperty.rev)
        else {
            throw .badRequest("Missing docID or revID")
        }
        collection = properties.integer(MessageProperty.collection)
        documentID = id
        revision = rev
        sequence = properties.nonEmpty(MessageProperty.sequence)
        isDeleted = properties.isPresentAndNotFalse(MessageProperty.deleted)
        history = properties[MessageProperty.history] ?? ""
        noConflicts = properties.isTrue(MessageProperty.noConflicts)
        deltaSource = properties.nonEmpty(MessageProperty.deltaSource)
        replacedRevision = properties.nonEmpty(MessageProperty.replacedRev)
        body = message.body
        isNoReply = message.isNoReply
    }

    /// The client's order of properties (§4.9); a gateway adds the content type.
    public func request(asGateway: Bool) -> BLIPRequest {
        var properties = BLIPProperties()
        properties.reserveCapacity(10)
        properties.append(BLIPProperties.profileKey, value: MessageProfile.rev.rawValue)
        properties.append(MessageProperty.collection, ifPresent: collection.map { String($0) })
        properties.append(MessageProperty.id, value: documentID)
        properties.append(MessageProperty.rev, value: revision)
        properties.append(MessageProperty.sequence, ifPresent: sequence)
        if noConflicts { properties.append(MessageProperty.noConflicts, value: "1") }
        if isDeleted { properties.append(MessageProperty.deleted, value: "1") }
        if !history.isEmpty { properties.append(MessageProperty.history, value: history) }
        properties.append(MessageProperty.deltaSource, ifPresent: deltaSource)
        properties.append(MessageProperty.replacedRev, ifPresent: replacedRevision)
        if asGateway { properties.append(BLIPProperties.contentTypeKey, value: "application/json") }
        return BLIPRequest(properties: properties, body: .bytes(body), isCompressed: true, isNoReply: isNoReply)
    }
}

/// A revision that was announced and will not come.
public struct NoRev: Sendable, Hashable {
    public var collection: Int?
    public var documentID: String
    public var revision: String
    /// JSON text of the announced row's sequence.
    public var sequence: String?
    /// An HTTP status.
    public var error: Int
    public var reason: String?

    public init(
        collection: Int?, documentID: String, revision: String, sequence: String?, error: Int, reason: String? = nil
    ) {
        self.collection = collection
        self.documentID = documentID
        self.revision = revision
        self.sequence = sequence
        self.error = error
        self.reason = reason
    }

    public init(_ message: BLIPMessage) {
        let properties = message.properties
        collection = properties.integer(MessageProperty.collection)
        documentID = properties[MessageProperty.id] ?? ""
        revision = properties[MessageProperty.rev] ?? ""
        // Version 2 between gateways names it `seq`.
        sequence = properties.nonEmpty(MessageProperty.sequence) ?? properties.nonEmpty("seq")
        error = properties.integer(MessageProperty.error) ?? 0
        reason = properties[MessageProperty.reason]
    }

    public var request: BLIPRequest {
        var properties = BLIPProperties.request(.norev, collection: collection)
        properties.append(MessageProperty.id, value: documentID)
        properties.append(MessageProperty.rev, value: revision)
        properties.append(MessageProperty.sequence, ifPresent: sequence)
        properties.append(MessageProperty.error, value: String(error))
        properties.append(MessageProperty.reason, ifPresent: reason)
        return BLIPRequest(properties: properties, isNoReply: true)
    }
}
