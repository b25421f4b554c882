import BLIPTransport
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A server on the loopback: BLIP by upgrade, everything else plain HTTP.
struct TestServer {
    let port: Int
    private let channel: any Channel
    /// Every upgraded connection, not yet started.
    let connections: AsyncStream<(connection: BLIPConnection, head: HTTPRequestHead)>

    static func start(
        tls: TLSConfiguration? = nil, pace: ArrivalPace = TransportLimits.arrivalPace,
        readingLimit: TimeAmount = TransportLimits.readingLimit, memory: (any BLIPMemory)? = nil,
        allowsHalfClosure: Bool = false,
        authorize: @escaping @Sendable (HTTPRequestHead) async -> BLIPUpgradeDecision = { head in
            let offered = BLIPServerUpgrade.offeredSubprotocols(head)
            guard let chosen = offered.first(where: BLIPSubprotocol.offered.contains) else { return .passOn }
            return .accept(subprotocol: chosen, headers: [("Server", "Fieldbook"), ("X-Test", "yes")])
        }
    ) async throws -> TestServer {
        let (connections, continuation) = AsyncStream<(connection: BLIPConnection, head: HTTPRequestHead)>.makeStream()
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: allowsHalfClosure)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    let negotiation = BLIPServerUpgrade.configure(
                        channel: channel, pace: pace, readingLimit: readingLimit, memory: memory, authorize: authorize,
                        plain: PlainHTTP.configure)
                    negotiation.whenSuccess { outcome in
                        if case .upgraded(let connection, let head) = outcome { continuation.yield((connection, head)) }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return TestServer(port: channel.localAddress?.port ?? 0, channel: channel, connections: connections)
    }

    func stop() async throws { try await channel.close() }

    func stopLater() { channel.close(promise: nil) }

    func nextConnection() async throws -> (connection: BLIPConnection, head: HTTPRequestHead) {
        for await connection in connections { return connection }
        throw TestPeer.NothingMore()
    }

    func url(secure: Bool = false) -> String { "\(secure ? "wss" : "ws")://localhost:\(port)/db/_blipsync" }
}

/// An HTTP server that says what it was asked.
private final class PlainHTTP: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private var head: HTTPRequestHead?
    private var count = 0

    @Sendable static func configure(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
            try channel.pipeline.syncOperations.addHandler(PlainHTTP())
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let part): count += part.readableBytes
        case .end: answer(context)
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        guard let head else { return }
        let upgrade = head.headers.first(name: "Upgrade") ?? "-"
        let body = ByteBuffer(string: "\(head.method) \(head.uri) \(upgrade) \(count)")
        count = 0
        let headers = HTTPHeaders([("Content-Length", "\(body.readableBytes)"), ("Content-Type", "text/plain")])
        let status: HTTPResponseStatus = head.uri.contains("missing") ? .notFound : .ok
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
