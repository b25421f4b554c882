import NIOCore
import NIOHTTP1

/// Keeps the bytes of a connection's first request until it is decided which handler reads them.
///
/// The HTTP decoder behind it reads them, too. But its output cannot be turned back into bytes, and the pipeline of the
/// HTTP server must get the request as if it had not been read.
final class FirstRequestRecorder: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Why no more can be kept.
    enum Excess {
        /// The owner's memory is used up.
        case memory
        /// The client goes on sending before its upgrade is decided.
        case length
    }

    private(set) var recorded = ByteBuffer()
    /// Whether arriving bytes are discarded.
    private var isDiscarding = false
    /// Whether the decoder has seen enough.
    private var isComplete = false
    /// Whether the client has closed its sending side.
    private var hasEnded = false
    private var memory: SteppedMemory
    private let onTooMuch: (Excess) -> Void

    init(memory: (any BLIPMemory)?, onTooMuch: @escaping (Excess) -> Void) {
        self.memory = SteppedMemory(memory)
        self.onTooMuch = onTooMuch
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDiscarding else { return }
        recorded.writeImmutableBuffer(unwrapInboundIn(data))
        guard recorded.readableBytes <= TransportLimits.bytesBeforeUpgrade else { return onTooMuch(.length) }
        guard memory.hold(max(0, recorded.readableBytes - TransportLimits.uncountedRequest)) else {
            return onTooMuch(.memory)
        }
        if !isComplete { context.fireChannelRead(data) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { hasEnded = true }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) { _ = memory.hold(0) }

    func complete() { isComplete = true }

    /// Drops the kept bytes, and discards arriving ones.
    func discard() {
        isDiscarding = true
        recorded = ByteBuffer()
        _ = memory.hold(0)
    }

    /// The bytes after the request's head.
    func bytesAfterHead() -> ByteBuffer {
        let end = Array("\r\n\r\n".utf8)
        let view = recorded.readableBytesView
        var index = view.startIndex
        while index + end.count <= view.endIndex {
            if view[index..<index + end.count].elementsEqual(end) {
                return recorded.getSlice(at: index + end.count, length: view.endIndex - index - end.count)
                    ?? ByteBuffer()
            }
            index += 1
        }
        return ByteBuffer()
    }

    /// Passes bytes, and the event of their end, to the handler that is now the next one.
    func replay(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        recorded = ByteBuffer()
        _ = memory.hold(0)
        if bytes.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(bytes))
            context.fireChannelReadComplete()
        }
        if hasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
    }
}

/// Waits for the first request's head.
final class FirstRequestReader: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart

    enum Finding {
        case request(HTTPRequestHead)
        /// The bytes are not HTTP; the HTTP server reports that.
        case unreadable
        case closed
    }

    private var onFinding: ((Finding) -> Void)?

    init(_ onFinding: @escaping (Finding) -> Void) { self.onFinding = onFinding }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): found(.request(head))
        case .body, .end: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        found(error is HTTPParserError || error is NIOHTTPDecoderError ? .unreadable : .closed)
    }

    /// The client sends nothing more, so there is nothing to wait for. The decoder before this handler has read all received
    /// bytes.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { found(.closed) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        found(.closed)
        context.fireChannelInactive()
    }

    private func found(_ finding: Finding) {
        guard let onFinding else { return }
        self.onFinding = nil
        onFinding(finding)
    }
}
