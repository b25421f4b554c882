import BLIPProtocol
import DocumentValues
import NIOCore

/// Asks the gateway to send its changes, once or for as long as the connection lives.
public struct SubChanges: Sendable, Hashable {
    public var collection: Int?
    /// The JSON text of the last sequence, with its quotation marks if it is a compound one; `nil` for a feed from the
    /// beginning.
    public var since: String?
    public var isContinuous = false
    public var batch = SyncLimits.rowsPerBatch
    public var wantsReplacements = true
    /// Leave out tombstones and removals until caught up.
    public var isActiveOnly = false
    /// Report revocations and removals by flags.
    public var wantsRevocations = true
    public var filter: String?
    public var channels: [String]?
    /// Only these documents; the channel filter does not apply to them.
    public var documentIDs: [String]?

    /// The memory that a feed takes for as long as it lasts: beside its text, a name has an entry in a list and one in a
    /// set.
    package var filterBytes: Int {
        [channels, documentIDs].reduce(0) { sum, names in
            (names ?? []).reduce(sum) { $0 + $1.utf8.count + SyncLimits.bytesOfFilterName }
        }
    }

    public init(collection: Int?) { self.collection = collection }

    public init(_ message: BLIPMessage) throws(BLIPErrorReply) {
        let properties = message.properties
        collection = properties.integer(MessageProperty.collection)
        since = properties.nonEmpty(MessageProperty.since)
        isContinuous = properties.isPresentAndNotFalse(MessageProperty.continuous)
        // Zero rows say no more of the client's wants than a missing number.
        let stated = properties.integer(MessageProperty.batch).flatMap { $0 > 0 ? $0 : nil }
        let wanted = stated ?? SyncLimits.rowsPerBatch
        batch = min(max(SyncLimits.minimumBatch, wanted), SyncLimits.maximumBatch)
        wantsReplacements = properties.isTrue(MessageProperty.sendReplacementRevs)
        isActiveOnly = properties.isTrue(MessageProperty.activeOnly)
        wantsRevocations = properties.isTrue(MessageProperty.revocations)
        filter = properties.nonEmpty(MessageProperty.filter)
        try readFilter(properties)
        try readDocumentIDs(message)
    }

    private mutating func readFilter(_ properties: BLIPProperties) throws(BLIPErrorReply) {
        guard let filter else { return }
        guard filter == SyncLimits.channelFilter else {
            throw .badRequest("Unknown filter; try sync_gateway/bychannel")
        }
        let names = (properties.nonEmpty(MessageProperty.channels) ?? "").split(atByte: ",").map { String($0) }
        guard !names.isEmpty else { throw .badRequest("Missing 'channels' filter parameter") }
        channels = names
    }

    private mutating func readDocumentIDs(_ message: BLIPMessage) throws(BLIPErrorReply) {
        guard message.body.readableBytes > 0 else { return }
        guard let body = try? JSONValue(parsing: message.bodyBytes).objectValue else {
            throw .badRequest("Invalid subChanges parameters")
        }
        guard let ids = body["docIDs"], !ids.isNull else { return }
        guard let ids = ids.arrayValue else { throw .badRequest("Invalid subChanges parameters") }
        // An empty list filters nothing, as in Sync Gateway.
        if !ids.isEmpty { documentIDs = ids.compactMap(\.stringValue) }
    }

    /// The properties in the recorded client's order, without those that do not apply (§4.4).
    public var request: BLIPRequest {
        var properties = BLIPProperties.request(.subChanges, collection: collection)
        properties.append(MessageProperty.since, ifPresent: since)
        properties.append(MessageProperty.continuous, ifPresent: isContinuous ? "true" : nil)
        properties.append(MessageProperty.batch, value: String(batch))
        // Sync Gateway compares with `true`, and ignores the `1` that Couchbase Lite writes.
        properties.append(MessageProperty.sendReplacementRevs, ifPresent: wantsReplacements ? "true" : nil)
        properties.append(MessageProperty.versioning, value: "rev-trees")
        properties.append(MessageProperty.activeOnly, ifPresent: isActiveOnly ? "true" : nil)
        properties.append(MessageProperty.revocations, ifPresent: wantsRevocations ? "true" : nil)
        if let channels {
            properties.append(MessageProperty.filter, value: SyncLimits.channelFilter)
            properties.append(MessageProperty.channels, value: channels.joined(separator: ","))
        }
        var request = BLIPRequest(properties: properties)
        if let documentIDs {
            let body: JSONValue = ["docIDs": .array(documentIDs.map { .string($0) })]
            request.body = .bytes(body.bytes)
        }
        return request
    }
}
