import NIOCore
import NIOWebSocket

/// The decoder of WebSocket frames, which also knows how many bytes of an incomplete frame have arrived.
final class MeteredFrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = WebSocketFrame

    private var decoder: WebSocketFrameDecoder
    /// Bytes that wait for the rest of their frame.
    private(set) var unframedBytes = 0

    init(maxFrameSize: Int) { decoder = WebSocketFrameDecoder(maxFrameSize: maxFrameSize) }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        // Bytes that are passed on do not wait any more.
        unframedBytes = 0
        let state = try decoder.decode(context: context, buffer: &buffer)
        unframedBytes = buffer.readableBytes
        return state
    }

    func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        try decoder.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
    }
}
