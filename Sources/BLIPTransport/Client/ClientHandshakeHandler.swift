import NIOCore
import NIOHTTP1

/// Asks the server to switch to WebSocket and waits for its answer.
final class ClientHandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    enum Answer: Sendable {
        case switched(HTTPResponseHead)
        case refused(HTTPResponseHead, body: ByteBuffer)
    }

    private let request: HTTPRequestHead
    private let answer: EventLoopPromise<Answer>
    /// Called when the server has switched, while this handler is still in the pipeline.
    private let onSwitch: (ClientHandshakeHandler) -> Void
    private var head: HTTPResponseHead?
    private var body = ByteBuffer()
    private var isDone = false

    init(
        _ request: HTTPRequestHead, answer: EventLoopPromise<Answer>,
        onSwitch: @escaping (ClientHandshakeHandler) -> Void
    ) {
        self.request = request
        self.answer = answer
        self.onSwitch = onSwitch
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // Under TLS the bytes wait for the end of its handshake.
        context.write(wrapOutboundOut(.head(request)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let part):
            body.writeImmutableBuffer(part)
            if body.readableBytes > TransportLimits.errorBodyBytes { refuse() }
        case .end: finish()
        }
    }

    private func finish() {
        guard let head, head.status == .switchingProtocols else { return refuse() }
        isDone = true
        onSwitch(self)
        answer.succeed(.switched(head))
    }

    private func refuse() {
        guard let head, !isDone else { return }
        isDone = true
        answer.succeed(.refused(head, body: body))
    }

    func channelInactive(context: ChannelHandlerContext) {
        refuse()
        fail(TransportError.endedInHandshake(nil))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.invalidEOFState: fail(TransportError.endedInHandshake(error))
        case is HTTPParserError, is NIOHTTPDecoderError: fail(Self.notHTTP(error))
        default: fail(error)
        }
        context.close(promise: nil)
    }

    private static func notHTTP(_ error: any Error) -> TransportError {
        TransportError(
            .protocolViolation, message: "The server does not answer in HTTP.",
            hint: "Check the address and the port, and whether it must be wss:// instead of ws://.", underlying: error)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // The channel was closed before this handler was added; a cancelled attempt has its own error.
        fail(TransportError.endedInHandshake(nil))
    }

    private func fail(_ error: any Error) {
        guard !isDone else { return }
        isDone = true
        answer.fail(error)
    }
}
