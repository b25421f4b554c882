import NIOCore
import NIOPosix
import Synchronization

/// An HTTP proxy that knows `CONNECT`, and nothing else.
package final class TunnelProxy: Sendable {
    package enum Behaviour: Sendable {
        case open
        /// Lets in only clients that show this value of `Proxy-Authorization`.
        case asks(String)
        case answers(String)
        /// Accepts the request and does not answer.
        case silent
    }

    private let behaviour: Behaviour
    private let seen = Mutex<[String]>([])
    private let listener = Mutex<(any Channel)?>(nil)

    private init(_ behaviour: Behaviour) { self.behaviour = behaviour }

    package static func start(_ behaviour: Behaviour = .open) async throws -> TunnelProxy {
        let proxy = TunnelProxy(behaviour)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ConnectHandler(proxy))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        proxy.listener.withLock { $0 = listener }
        return proxy
    }

    package var port: Int { listener.withLock { $0?.localAddress?.port ?? 0 } }

    /// The requests' heads.
    package var heads: [String] { seen.withLock { $0 } }

    package func stop() async throws { try await listener.withLock { $0 }?.close() }

    /// The immediate answer; `nil` to connect to the address in the request.
    fileprivate func answer(to head: String) -> String? {
        seen.withLock { $0.append(head) }
        switch behaviour {
        case .open: return nil
        case .asks(let authorization):
            guard head.contains("\r\nProxy-Authorization: \(authorization)\r\n") else {
                return "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"p\"\r\n\r\n"
            }
            return nil
        case .answers(let text): return text
        case .silent: return ""
        }
    }
}

private final class ConnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let proxy: TunnelProxy
    private var head = ByteBuffer()

    init(_ proxy: TunnelProxy) { self.proxy = proxy }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        head.writeImmutableBuffer(unwrapInboundIn(data))
        let text = String(buffer: head)
        guard text.hasSuffix("\r\n\r\n") else { return }
        if let answer = proxy.answer(to: text) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            return
        }
        connect(to: text.split(separator: " ")[1], context)
    }

    private func connect(to target: Substring, _ context: ChannelHandlerContext) {
        let parts = target.split(separator: ":")
        let (near, loop) = (context.channel, context.eventLoop)
        let handler = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .connect(host: String(parts[0]), port: Int(parts[1]) ?? 0)
            .whenComplete { result in
                switch result {
                case .failure:
                    near.writeAndFlush(ByteBuffer(string: "HTTP/1.1 502 Bad Gateway\r\n\r\n"), promise: nil)
                case .success(let far):
                    do {
                        try Splice.join(near, far)
                        _ = near.pipeline.syncOperations.removeHandler(handler.value)
                        let consent = ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")
                        near.writeAndFlush(consent, promise: nil)
                        _ = far.setOption(.autoRead, value: true)
                    } catch {
                        near.close(promise: nil)
                    }
                }
            }
    }
}
