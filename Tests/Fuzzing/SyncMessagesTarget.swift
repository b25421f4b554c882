import BLIPProtocol
import NIOCore
import SyncProtocol

extension FuzzTarget {
    /// Every typed message and reply, read from any properties and body; what it is written as reads the same.
    static let syncMessages = FuzzTarget(
        name: "sync-messages",
        seeds: { try Recordings.messages().map { Array(ScriptedMessages.script($0).dropFirst()) } }
    ) { bytes in
        for entry in ScriptedMessages.entries(bytes) {
            checkRequests(entry.message)
            checkReplies(entry.message)
        }
    }

    private static func checkRequests(_ message: BLIPMessage) {
        if let value = try? GetCollections(message) { again(value, value.request) { try? GetCollections($0) } }
        if let value = try? GetCheckpoint(message) { again(value, value.request) { try? GetCheckpoint($0) } }
        if let value = try? SetCheckpoint(message) { again(value, value.request) { try? SetCheckpoint($0) } }
        if let value = try? SubChanges(message) { _ = try? SubChanges(received(value.request)) }
        if let value = try? Changes(message) {
            again(value, value.request(for: .version3)) { try? Changes($0) }
            _ = value.request(for: .version2)
        }
        if let value = try? ProposeChanges(message) { _ = try? ProposeChanges(received(value.request)) }
        if let value = try? Rev(message) {
            _ = try? Rev(received(value.request(asGateway: true)))
            _ = try? Rev(received(value.request(asGateway: false)))
        }
        _ = NoRev(received(NoRev(message).request))
        if let value = try? GetAttachment(message) { again(value, value.request) { try? GetAttachment($0) } }
        if let value = try? ProveAttachment(message) { again(value, value.request) { try? ProveAttachment($0) } }
    }

    private static func checkReplies(_ message: BLIPMessage) {
        if let reply = ChangesReply(message) { _ = (reply.properties, reply.body) }
        if let reply = ProposeChangesReply(message) { _ = reply.body }
        if let reply = GetCollectionsReply(message) { _ = reply.body }
        _ = BLIPErrorReply(message)
    }

    private static func again<Message: Equatable>(
        _ value: Message, _ request: BLIPRequest, _ read: (BLIPMessage) -> Message?
    ) {
        check(read(received(request)) == value, "\(value) does not come back")
    }

    private static func received(_ request: BLIPRequest) -> BLIPMessage {
        var body = ByteBuffer()
        if case .bytes(let bytes) = request.body { body = bytes }
        return BLIPMessage(
            kind: .request, number: 1, properties: request.properties, body: body, isNoReply: request.isNoReply)
    }
}
