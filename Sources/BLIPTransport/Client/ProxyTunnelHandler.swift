import NIOCore

/// Asks an HTTP proxy to connect us to the server (`CONNECT`), and then leaves the pipeline.
final class ProxyTunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let endpoint: WebSocketAddress
    private let authorization: String?
    private let opened: EventLoopPromise<Void>
    private var answer = ByteBuffer()
    private var isDone = false

    init(to endpoint: WebSocketAddress, authorization: String?, opened: EventLoopPromise<Void>) {
        self.endpoint = endpoint
        self.authorization = authorization
        self.opened = opened
    }

    func handlerAdded(context: ChannelHandlerContext) {
        var request = "CONNECT \(endpoint.hostAndPort) HTTP/1.1\r\nHost: \(endpoint.hostAndPort)\r\n"
        if let authorization { request += "Proxy-Authorization: \(authorization)\r\n" }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request + "\r\n")), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return context.fireChannelRead(data) }
        answer.writeImmutableBuffer(unwrapInboundIn(data))
        guard let end = answer.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else {
            if answer.readableBytes > TransportLimits.errorBodyBytes { finish(.failure(violation())) }
            return
        }
        guard let status = status() else { return finish(.failure(violation())) }
        // A refusal may be followed by a page for browsers. After a consent the proxy sends nothing until we send.
        guard (200..<300).contains(status) else { return finish(.failure(refusal(status))) }
        finish(end.upperBound == answer.readableBytesView.endIndex ? .success(()) : .failure(violation()))
    }

    /// The number in `HTTP/1.1 200 Connection established`.
    private func status() -> Int? {
        let line = String(decoding: answer.readableBytesView.prefix { $0 != 0x0D }, as: UTF8.self)
        let parts = line.split(separator: " ")
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/1.") else { return nil }
        return Int(parts[1])
    }

    private func refusal(_ status: Int) -> TransportError {
        let message =
            status == 407
            ? "The proxy wants another user name and password."
            : "The proxy does not connect us to \(endpoint): HTTP \(status)."
        return TransportError(.httpStatus(status), message: message, hint: "Check the proxy's settings.")
    }

    private func violation() -> TransportError {
        TransportError(.proxy, message: "The proxy does not answer in HTTP.", hint: "Check the proxy's address.")
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(TransportError.endedInHandshake(nil)))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { finish(.failure(error)) }

    func handlerRemoved(context: ChannelHandlerContext) {
        // The channel was closed before this handler was added.
        finish(.failure(TransportError.endedInHandshake(nil)))
    }

    private func finish(_ result: Result<Void, any Error>) {
        guard !isDone else { return }
        isDone = true
        opened.completeWith(result)
    }
}
