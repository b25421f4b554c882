import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A proxy between a client and a server of this machine that treats their bytes like a bad network.
package final class HostileProxy: Sendable {
    /// The treatment of one connection; positions count the bytes of both directions together.
    package struct Treatment: Sendable {
        /// After so many bytes both sides are cut off.
        package var cut: Int?
        /// After so many bytes nothing passes any more, although both sides stay connected.
        package var stall: Int?
        /// How many bytes are forwarded at once.
        package var portion = Int.max
        /// Whether a cut is a reset, rather than an end.
        package var resets = false

        package static let none = Treatment()

        package init(cut: Int? = nil, stall: Int? = nil, portion: Int = .max, resets: Bool = false) {
            self.cut = cut
            self.stall = stall
            self.portion = portion
            self.resets = resets
        }
    }

    private struct State {
        var connections = 0
        var passed: [Int: Int] = [:]
        var channels: [any Channel] = []
        var lines: [NIOLoopBound<Line>] = []
        var listener: (any Channel)?
    }

    private let state = Mutex(State())
    private let target: Int
    private let treatment: @Sendable (Int) -> Treatment

    private init(to target: Int, _ treatment: @escaping @Sendable (Int) -> Treatment) {
        self.target = target
        self.treatment = treatment
    }

    /// - Parameter treatment: of the connections, counted from 0.
    package static func start(
        to target: Int, treatment: @escaping @Sendable (Int) -> Treatment = { _ in .none }
    ) async throws -> HostileProxy {
        let proxy = HostileProxy(to: target, treatment)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { proxy.accept($0) }
            .bind(host: "127.0.0.1", port: 0).get()
        proxy.state.withLock { $0.listener = listener }
        return proxy
    }

    package var port: Int { state.withLock { $0.listener?.localAddress?.port ?? 0 } }

    package var connections: Int { state.withLock { $0.connections } }

    /// Bytes that have passed over a connection, in both directions together.
    package func passed(_ connection: Int) -> Int { state.withLock { $0.passed[connection] ?? 0 } }

    /// Ends all connections; new ones are taken.
    package func cutAll() {
        for channel in state.withLock({ $0.channels }) { channel.close(promise: nil) }
    }

    /// Nothing passes any more over the present connections.
    package func stallAll() {
        for line in state.withLock({ $0.lines }) { line.eventLoop.execute { line.value.isStalled = true } }
    }

    package func stop() async throws {
        let listener = state.withLock { $0.listener }
        try await listener?.close()
        cutAll()
    }

    private func accept(_ near: any Channel) -> EventLoopFuture<Void> {
        let number = state.withLock { state in
            defer { state.connections += 1 }
            return state.connections
        }
        let treatment = treatment(number)
        return ClientBootstrap(group: near.eventLoop)
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: target)
            .flatMapThrowing { far in
                let line = Line(treatment, near, far) { count in self.state.withLock { $0.passed[number] = count } }
                try near.pipeline.syncOperations.addHandler(LineEnd(line, to: far))
                try far.pipeline.syncOperations.addHandler(LineEnd(line, to: near))
                let bound = NIOLoopBound(line, eventLoop: near.eventLoop)
                self.state.withLock { state in
                    state.channels += [near, far]
                    state.lines.append(bound)
                }
                // The far side's bytes may come only after the near side is set up.
                near.eventLoop.execute {
                    for channel in [near, far] { _ = channel.setOption(.autoRead, value: true) }
                }
            }
    }
}

/// Joins two channels of one event loop, and forwards all bytes unchanged.
package enum Splice {
    /// Must be called on their event loop.
    package static func join(_ near: any Channel, _ far: any Channel) throws {
        let line = Line(.none, near, far) { _ in }
        try near.pipeline.syncOperations.addHandler(LineEnd(line, to: far))
        try far.pipeline.syncOperations.addHandler(LineEnd(line, to: near))
    }
}

/// The state that both directions of a connection share; used on one event loop.
private final class Line {
    private let treatment: HostileProxy.Treatment
    private let ends: [any Channel]
    private let report: @Sendable (Int) -> Void
    private var passed = 0
    private var isCut = false
    var isStalled = false

    init(
        _ treatment: HostileProxy.Treatment, _ near: any Channel, _ far: any Channel,
        report: @escaping @Sendable (Int) -> Void
    ) {
        self.treatment = treatment
        ends = [near, far]
        self.report = report
    }

    func pass(_ bytes: ByteBuffer, to target: any Channel) {
        guard !isCut, !isStalled else { return }
        var rest = bytes
        let limit = min(treatment.cut ?? .max, treatment.stall ?? .max)
        let allowed = min(rest.readableBytes, limit - passed)
        var left = allowed
        while left > 0, let portion = rest.readSlice(length: min(treatment.portion, left)) {
            target.writeAndFlush(portion, promise: nil)
            left -= portion.readableBytes
        }
        passed += allowed
        report(passed)
        if let cut = treatment.cut, passed >= cut { self.cut() }
    }

    private func cut() {
        isCut = true
        for end in ends {
            if treatment.resets, let provider = end as? any SocketOptionProvider {
                _ = provider.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            }
            end.close(promise: nil)
        }
    }

    func ended() {
        for end in ends { end.close(promise: nil) }
    }
}

private final class LineEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let line: Line
    private let target: any Channel

    init(_ line: Line, to target: any Channel) {
        self.line = line
        self.target = target
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { line.pass(unwrapInboundIn(data), to: target) }

    func channelInactive(context: ChannelHandlerContext) { line.ended() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { line.ended() }
}
