import BLIPProtocol
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The handlers of a client's channel, first for HTTP, then for WebSocket.
///
/// The exchange happens within the read that brings the 101, so that frames that arrive in the same read find their
/// decoder.
final class ClientUpgrade {
    let handler: BLIPChannelHandler

    init(
        _ channel: any Channel, request: HTTPRequestHead, heartbeat: Heartbeat, replies: ReplyWatch,
        answer: EventLoopPromise<ClientHandshakeHandler.Answer>
    ) throws {
        let handler = BLIPChannelHandler(role: .client, heartbeat: heartbeat, replies: replies, limits: .client)
        self.handler = handler
        let pipeline = channel.pipeline.syncOperations
        let encoder = HTTPRequestEncoder()
        let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes))
        let handshake = ClientHandshakeHandler(request, answer: answer) { handshake in
            // Nothing is read until the connection is started; bytes that have already arrived wait in its handler.
            _ = channel.setOption(.autoRead, value: false)
            do {
                try pipeline.addHandler(
                    ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: TransportLimits.webSocketMessageBytes)))
                try pipeline.addHandler(handler)
            } catch {
                return answer.fail(error)
            }
            // Fails only when the channel is closed, of which the connection's handler is notified itself. The decoder
            // is removed last, since it passes its unused bytes on.
            _ = pipeline.removeHandler(encoder)
            _ = pipeline.removeHandler(handshake)
            _ = pipeline.removeHandler(decoder)
        }
        try pipeline.addHandlers([encoder, decoder, handshake])
    }
}
