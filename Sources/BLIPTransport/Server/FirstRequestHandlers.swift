import NIOCore
import NIOHTTP1

/// Keeps the bytes of a connection's first request until it is decided who reads them.
///
/// The HTTP decoder behind it sees them too; but what it makes of them cannot be turned back into bytes, and the
/// pipeline of the HTTP server shall not know that somebody has looked.
final class FirstRequestRecorder: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Why no more can be kept.
    enum Excess {
        /// Its owner may have no more memory.
        case memory
        /// The client goes on sending before its upgrade is decided.
        case length
    }

    private(set) var recorded = ByteBuffer()
    /// Whether what comes is thrown away.
    private var isDiscarding = false
    /// Whether the decoder has seen enough.
    private var isComplete = false
    /// Whether the client has said that it sends nothing more.
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

    /// Keeps nothing, and throws away what comes.
    func discard() {
        isDiscarding = true
        recorded = ByteBuffer()
        _ = memory.hold(0)
    }

    /// What came after the request's head.
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

    /// Hands bytes, and the news of their end, to the handler that is next by now.
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
        /// What comes is no HTTP; the HTTP server may say so.
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

    /// The client has said that it sends nothing more: there is nothing to wait for. The decoder before this one has read what
    /// came.
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
