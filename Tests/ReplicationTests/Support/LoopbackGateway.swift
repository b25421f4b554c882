import BLIPProtocol
import BLIPTransport
import Dispatch
import DocumentValues
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SyncModels
import SyncProtocol
import Synchronization

/// A gateway on the loopback: the passive machine over real sockets, its data in memory.
final class LoopbackGateway: Sendable {
    struct State {
        var model: ModelGateway
        /// What `getCollections` names, by index; others are unknown.
        var known: [String]
        /// The next handshakes are answered with these statuses.
        var refusals: [HTTPResponseStatus] = []
        var refusalHeaders: [(name: String, value: String)] = []
        var requests: [HTTPRequestHead] = []
        var responseHeaders: [(name: String, value: String)] = []
        var connections: [LoopbackConnection] = []
        var lastNumber = 0
        /// Who serves connections instead of the model.
        var stranger: (any BLIPConnectionDelegate)?
        /// The digests of the blobs that were asked for, in order.
        var servedBlobs: [String] = []
    }

    let state: Mutex<State>
    private let channel: Mutex<(any Channel)?> = Mutex(nil)
    private let tls: NIOSSLContext?

    init(collections: [String] = ["field.sites"], tls: NIOSSLContext? = nil) {
        self.tls = tls
        state = Mutex(
            State(model: ModelGateway(collections: collections.count, channels: ["north"]), known: collections))
    }

    static func start(
        collections: [String] = ["field.sites"], tls: TLSConfiguration? = nil, host: String = "127.0.0.1"
    ) async throws -> LoopbackGateway {
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let gateway = LoopbackGateway(collections: collections, tls: context)
        try await gateway.listen(host: host, port: 0)
        return gateway
    }

    var port: Int { channel.withLock { $0?.localAddress?.port ?? 0 } }

    func listen(host: String = "127.0.0.1", port: Int) async throws {
        let bound = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    let negotiation = BLIPServerUpgrade.configure(
                        channel: channel, authorize: { self.decide($0) },
                        plain: { self.refuse($0) })
                    negotiation.whenSuccess { outcome in
                        if case .upgraded(let connection, _) = outcome { self.serve(connection) }
                    }
                }
            }
            .bind(host: host, port: port).get()
        channel.withLock { $0 = bound }
    }

    /// Stops listening and drops all connections.
    func stop() async throws {
        let bound = channel.withLock { channel in
            defer { channel = nil }
            return channel
        }
        try await bound?.close()
        dropConnections()
    }

    func dropConnections() {
        let connections = state.withLock { state in
            defer { state.connections = [] }
            return state.connections
        }
        for connection in connections { connection.connection.abort() }
    }

    // MARK: - Data

    func put(_ id: String, _ body: String, in index: Int = 0, isDeleted: Bool = false) {
        state.withLock { $0.model.edit(id, in: index, body: body, isDeleted: isDeleted) }
        wake()
    }

    func body(_ id: String, in index: Int = 0) -> String? {
        state.withLock { state in
            state.model.collections[index][id].map { String(decoding: $0.current.body, as: UTF8.self) }
        }
    }

    func revision(_ id: String) -> ModelRevision? { state.withLock { $0.model.collections[0][id]?.current } }

    func setChannels(_ channels: Set<String>) {
        state.withLock { $0.model.setChannels(channels) }
        wake()
    }

    /// Feeds that wait for news look again.
    private func wake() {
        for connection in state.withLock({ $0.connections }) { connection.retry() }
    }

    // MARK: - Handshakes

    private func decide(_ head: HTTPRequestHead) -> BLIPUpgradeDecision {
        state.withLock { state in
            state.requests.append(head)
            guard state.refusals.isEmpty,
                let chosen = BLIPServerUpgrade.offeredSubprotocols(head).first(
                    where: BLIPSubprotocol.offered.contains)
            else { return .passOn }
            return .accept(subprotocol: chosen, headers: state.responseHeaders)
        }
    }

    private func refuse(_ channel: any Channel) -> EventLoopFuture<Void> {
        let (status, headers) = state.withLock { state in
            (state.refusals.isEmpty ? .notFound : state.refusals.removeFirst(), state.refusalHeaders)
        }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
            try channel.pipeline.syncOperations.addHandler(RefusingHandler(status: status, headers: headers))
        }
    }

    private func serve(_ connection: BLIPConnection) {
        if let stranger = state.withLock({ $0.stranger }) { return connection.start(delegate: stranger) }
        let served = state.withLock { state in
            state.lastNumber += 1
            let served = LoopbackConnection(connection, self, number: state.lastNumber)
            state.connections.append(served)
            return served
        }
        served.start()
    }
}

/// Answers every request with one status.
private final class RefusingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let status: HTTPResponseStatus

    private let headers: [(name: String, value: String)]

    init(status: HTTPResponseStatus, headers: [(name: String, value: String)]) {
        self.status = status
        self.headers = headers
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let body = ByteBuffer(string: #"{"error":"x","reason":"because \#(status.code)"}"#)
        let own = [
            ("Content-Length", "\(body.readableBytes)"), ("Content-Type", "application/json"), ("Connection", "close"),
        ]
        let headers = HTTPHeaders(own + headers)
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

/// One client of the loopback gateway.
final class LoopbackConnection: BLIPConnectionDelegate, @unchecked Sendable {
    let connection: BLIPConnection
    // The cycle ends when the gateway drops its connections.
    private let gateway: LoopbackGateway
    private let queue = DispatchQueue(label: "loopback")
    // Touched on `queue` only.
    private var peer: PassivePeer

    private let number: Int

    init(_ connection: BLIPConnection, _ gateway: LoopbackGateway, number: Int) {
        self.number = number
        self.connection = connection
        self.gateway = gateway
        peer = PassivePeer(
            PassiveSession(
                version: SyncSubprotocol(rawValue: connection.subprotocol) ?? .version3, hasDefaultCollection: true))
    }

    func start() { connection.start(delegate: self) }

    func connection(_ connection: BLIPConnection, received: [BLIPIncoming]) {
        queue.async {
            self.peer.receive(received)
            self.work()
        }
    }

    func connectionClosed(_ connection: BLIPConnection, reason: BLIPCloseReason) {}

    /// Feeds that wait look again.
    func retry() { queue.async { self.work() } }

    private func work() {
        let wasPaused = peer.isPaused
        let others = gateway.state.withLock { state -> [LoopbackConnection] in
            let accepted = state.model.acceptances.count
            state.serve(&peer, number: number)
            return state.model.acceptances.count == accepted ? [] : state.connections
        }
        let messages = peer.takeSent()
        if !messages.isEmpty { connection.send(messages) }
        if peer.isPaused != wasPaused {
            if peer.isPaused { connection.pauseReading() } else { connection.resumeReading() }
        }
        if let (code, reason) = peer.closing { connection.close(code: code, reason: reason) }
        for other in others { other.retry() }
    }
}

extension LoopbackGateway.State {
    /// Does all that a connection waits for.
    fileprivate mutating func serve(_ peer: inout PassivePeer, number: Int) {
        model.session = number
        model.names = known
        peer.doAllWork(in: &model)
        servedBlobs += model.takeServed()
    }
}
