import BLIPProtocol
import NIOCore

@testable import SyncProtocol

/// A connection between two machines: messages arrive in the order in which they were sent, whenever it pleases.
struct SimulatedConnection {
    private enum Message {
        case request(BLIPRequest, tag: UInt64)
        case response(number: UInt32, BLIPProperties, ByteBuffer)
        case failure(number: UInt32, BLIPErrorReply)
    }

    /// One direction.
    private struct Lane {
        var waiting: [Message] = []
        var lastNumber: UInt32 = 0
        /// Of requests that went this way: their sender's tag, and whether the reply is wanted in parts.
        var tags: [UInt32: (tag: UInt64, isStreamed: Bool)] = [:]
    }

    private var toServer = Lane()
    private var toClient = Lane()

    var isEmpty: Bool { toServer.waiting.isEmpty && toClient.waiting.isEmpty }
    var hasMessagesForServer: Bool { !toServer.waiting.isEmpty }
    var hasMessagesForClient: Bool { !toClient.waiting.isEmpty }

    mutating func sendToServer(_ batch: [BLIPOutgoing]) { toServer.waiting += batch.map(Self.message) }
    mutating func sendToClient(_ batch: [BLIPOutgoing]) { toClient.waiting += batch.map(Self.message) }

    private static func message(_ outgoing: BLIPOutgoing) -> Message {
        switch outgoing {
        case .request(let request, let tag): return .request(request, tag: tag)
        case .response(let number, let properties, let body, _):
            var content = ByteBuffer()
            if case .bytes(let bytes) = body { content = bytes }
            return .response(number: number, properties, content)
        case .failure(let number, let error): return .failure(number: number, error)
        }
    }

    /// The next message for the server; beside it what its sender hears of its having left.
    mutating func deliverToServer() -> (server: BLIPIncoming?, client: BLIPIncoming?) {
        guard !toServer.waiting.isEmpty else { return (nil, nil) }
        return Self.deliver(toServer.waiting.removeFirst(), &toServer, answersTo: &toClient)
    }

    mutating func deliverToClient() -> (client: BLIPIncoming?, server: BLIPIncoming?) {
        guard !toClient.waiting.isEmpty else { return (nil, nil) }
        return Self.deliver(toClient.waiting.removeFirst(), &toClient, answersTo: &toServer)
    }

    private static func deliver(
        _ message: Message, _ lane: inout Lane, answersTo other: inout Lane
    ) -> (BLIPIncoming?, BLIPIncoming?) {
        switch message {
        case .request(let request, let tag):
            lane.lastNumber += 1
            if !request.isNoReply { lane.tags[lane.lastNumber] = (tag, request.streamsReply) }
            return (.request(request.received(number: lane.lastNumber)), .sent(tag: tag))
        case .response(let number, let properties, let body):
            guard let asked = other.tags.removeValue(forKey: number) else { return (nil, nil) }
            if asked.isStreamed { return (.responsePart(tag: asked.tag, body, isLast: true), nil) }
            let reply = BLIPMessage(kind: .response, number: number, properties: properties, body: body)
            return (.response(tag: asked.tag, reply), nil)
        case .failure(let number, let error):
            guard let asked = other.tags.removeValue(forKey: number) else { return (nil, nil) }
            return (.failure(tag: asked.tag, error), nil)
        }
    }
}
