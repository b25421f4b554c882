import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import Testing
import WireSupport

@testable import BLIPTransport

/// Load balancers without a server behind them, proxies without a network, gateways that are being restarted: whenever
/// they drop a connection, and however, the next attempt may fare better.
@Suite(.timeLimit(.minutes(5))) struct DroppedHandshakeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let moment: DroppingServer.Moment
        let way: DroppingServer.Way
        var isSecure = false
        var isProxied = false
        /// Many where two threads race.
        var attempts = 20

        var testDescription: String {
            "\(isSecure ? "wss" : "ws")\(isProxied ? " by proxy" : ""), \(moment), \(way)"
        }
    }

    private static let cases: [Case] = [false, true].flatMap { isSecure in
        [DroppingServer.Way.end, .reset].flatMap { way in
            [
                Case(moment: .accepted, way: way, isSecure: isSecure, attempts: 200),
                Case(moment: .accepted, way: way, isSecure: isSecure, isProxied: true, attempts: 200),
                Case(moment: .asked, way: way, isSecure: isSecure),
                Case(moment: .asked, way: way, isSecure: isSecure, isProxied: true),
                Case(moment: .consented, way: way, isSecure: isSecure, isProxied: true, attempts: 200),
            ]
        }
    }

    @Test(arguments: cases) func aDroppedConnectionMayPass(_ test: Case) async throws {
        let server = try await DroppingServer.start(test.moment, test.way)
        let scheme = test.isSecure ? "wss" : "ws"
        var configuration = BLIPClientConfiguration(url: "\(scheme)://127.0.0.1:\(server.port)/db")
        if test.isProxied { configuration.proxy = .init(host: "127.0.0.1", port: server.port) }
        try await expectToPass(configuration, attempts: test.attempts)
        try await server.stop()
    }

    @Test(arguments: [DroppingServer.Moment.encrypted, .asked], [DroppingServer.Way.end, .reset, .goodbye])
    func aConnectionDroppedBehindTLSMayPass(moment: DroppingServer.Moment, way: DroppingServer.Way) async throws {
        let tls = try TestCertificate(name: "localhost").serverConfiguration()
        let server = try await DroppingServer.start(moment, way, tls: tls)
        let url = "wss://localhost:\(server.port)/db"
        try await expectToPass(BLIPClientConfiguration(url: url, trust: .selfSignedOnly), attempts: 20)
        try await server.stop()
    }

    private func expectToPass(_ configuration: BLIPClientConfiguration, attempts: Int) async throws {
        for number in 1...attempts {
            do throws(TransportError) {
                try await BLIPConnector.connectWithRetries(configuration).abort()
                Issue.record("connected")
            } catch {
                let passes = error.code == .closed(code: WebSocketCloseCode.abnormal) || error.code == .reset
                try #require(passes, "attempt \(number): \(error.code): \(error)")
            }
        }
    }
}

/// A server that drops every connection.
struct DroppingServer {
    enum Moment: Sendable {
        case accepted
        /// After the first bytes that it can read.
        case asked
        /// As a proxy that has said that it is connected.
        case consented
        /// When TLS is established.
        case encrypted
    }

    enum Way: Sendable {
        case end
        case reset
        /// That of TLS.
        case goodbye
    }

    let port: Int
    private let channel: any Channel

    static func start(_ moment: Moment, _ way: Way, tls: TLSConfiguration? = nil) async throws -> DroppingServer {
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if way == .reset, let socket = channel as? any SocketOptionProvider {
                        let resets = linger(l_onoff: 1, l_linger: 0)
                        socket.setSoLinger(resets).whenFailure { _ in channel.close(promise: nil) }
                    }
                    let door = Door()
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(door)
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.addHandler(Dropper(moment, way, door))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return DroppingServer(port: channel.localAddress?.port ?? 0, channel: channel)
    }

    func stop() async throws { try await channel.close() }
}

/// Comes before TLS, so that what it closes is closed without a goodbye.
private final class Door: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
    func close() { context?.close(promise: nil) }
}

private final class Dropper: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let moment: DroppingServer.Moment
    private let way: DroppingServer.Way
    private let door: Door

    init(_ moment: DroppingServer.Moment, _ way: DroppingServer.Way, _ door: Door) {
        self.moment = moment
        self.way = way
        self.door = door
    }

    func channelActive(context: ChannelHandlerContext) { if moment == .accepted { drop(context) } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch moment {
        case .accepted, .encrypted: break
        case .asked: drop(context)
        case .consented:
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n")), promise: nil)
            drop(context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Only TLS reports anything else: that its handshake is over.
        if moment == .encrypted, !(event is ChannelEvent) { drop(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func drop(_ context: ChannelHandlerContext) {
        switch way {
        case .end, .reset: door.close()
        case .goodbye: context.close(promise: nil)
        }
    }
}
