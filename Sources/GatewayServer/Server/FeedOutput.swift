import BLIPTransport
import GatewayCore
import Logging
import NIOCore
import NIOWebSocket

/// The messages of a feed over a WebSocket, each of which waits until the client's system has it: unread bytes are on the
/// account of the user, and a client that reads nothing for too long is disconnected.
final class FeedOutput: Sendable {
    let load: RequestLoad
    private let channel: any Channel
    private let watch: ReaderWatch

    init(_ channel: any Channel, load: RequestLoad, client: String, logger: Logger) {
        self.channel = channel
        self.load = load
        watch = ReaderWatch(channel, limit: load.readingLimit) {
            logger.info("A client does not read its feed; its connection is closed", metadata: ["client": "\(client)"])
        }
    }

    /// - Throws: `GatewayError` (503) if there is no room for unread bytes.
    func send(_ text: [UInt8]) async throws {
        let before = try load.answer(text.count)
        defer { load.answer(backTo: before) }
        watch.note(isWaiting: true)
        defer { watch.note(isWaiting: false) }
        let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: text))
        try await withTaskCancellationHandler {
            try await channel.writeAndFlush(frame)
        } onCancel: {
            // The end must not wait long for a client that does not read.
            channel.eventLoop.scheduleTask(in: GatewayServerLimits.lastMessage) { self.channel.close(promise: nil) }
        }
    }
}
