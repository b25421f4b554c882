import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import X509

/// One try to connect to one address.
struct ClientAttempt: Sendable {
    enum Outcome: Sendable {
        case connected(BLIPConnection)
        case redirected(String)
    }

    private let configuration: BLIPClientConfiguration
    private let endpoint: WebSocketAddress
    private let sendsCredentials: Bool
    private let deadline: NIODeadline
    private let loop: any EventLoop
    private let judge: CertificateJudge
    /// The channel, once there is one: a cancelled attempt closes it.
    private let channel = NIOLockedValueBox<CancellableChannel>(.none)

    init(
        _ configuration: BLIPClientConfiguration, endpoint: WebSocketAddress, sendsCredentials: Bool,
        deadline: NIODeadline,
        loop: any EventLoop
    ) {
        self.configuration = configuration
        self.endpoint = endpoint
        self.sendsCredentials = sendsCredentials
        self.deadline = deadline
        self.loop = loop
        judge = CertificateJudge(trust: configuration.trust, endpoint: endpoint, report: configuration.report)
    }

    func run() async throws(TransportError) -> Outcome {
        do {
            return try await withTaskCancellationHandler {
                try await connect()
            } onCancel: {
                cancel()
            }
        } catch {
            throw explained(error)
        }
    }

    private func connect() async throws -> Outcome {
        let request = try HandshakeRequest(
            configuration, to: endpoint, sendsCredentials: sendsCredentials,
            randomness: (0..<16).map { _ in UInt8.random(in: 0...255) })
        configuration.report?(.connecting(host: dialed.host, port: dialed.port))
        let channel = try await openSocket()
        configuration.report?(
            .opened(
                remote: channel.remoteAddress.map { "\($0)" } ?? dialed.host,
                local: channel.localAddress.map { "\($0)" } ?? "an unknown address"))
        guard keep(channel) else { throw TransportError(.aborted, message: "The attempt to connect was cancelled.") }
        let timer = loop.scheduleTask(deadline: deadline) { channel.close(promise: nil) }
        do {
            if let proxy = configuration.proxy {
                try await openTunnel(channel, proxy: proxy)
                configuration.report?(.tunneled(proxy: "\(proxy.host):\(proxy.port)"))
            }
            return try await shakeHands(channel, request: request, timer: timer)
        } catch {
            timer.cancel()
            channel.close(promise: nil)
            throw error
        }
    }

    private func openSocket() async throws -> any Channel {
        guard let interface = configuration.networkInterface else { return try await dial(from: nil).get() }
        let family = try? SocketAddress(ipAddress: dialed.host, port: 0).protocol
        var failure: (any Error)?
        for address in try NetworkInterface.addresses(of: interface) where family == nil || family == address.protocol {
            do {
                return try await dial(from: address).get()
            } catch {
                // If one family has no route, the error of the other family is the one to report.
                if failure.map({ TransportError(connecting: $0, to: endpoint).code == .other }) ?? true {
                    failure = error
                }
            }
        }
        throw failure
            ?? TransportError(
                .unreachable,
                message: "The network interface '\(interface)' has no address that reaches \(dialed.host).",
                hint: "Check that the network is connected.", errno: EADDRNOTAVAIL)
    }

    /// The host to which the socket connects.
    private var dialed: (host: String, port: Int) {
        configuration.proxy.map { ($0.host, $0.port) } ?? (endpoint.host, endpoint.port)
    }

    private func dial(from address: SocketAddress?) -> EventLoopFuture<any Channel> {
        var bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(max(deadline - .now(), .milliseconds(1)))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.writeBufferWaterMark, value: .connection)
            .resolver(NameResolver(loop: loop, report: configuration.report))
        if let address { bootstrap = bootstrap.bind(to: address) }
        return bootstrap.connect(host: dialed.host, port: dialed.port)
    }

    private func openTunnel(_ channel: any Channel, proxy: BLIPClientConfiguration.Proxy) async throws {
        let opened = loop.makePromise(of: Void.self)
        let removed = loop.submit {
            let handler = ProxyTunnelHandler(to: endpoint, authorization: proxy.authorization, opened: opened)
            let pipeline = channel.pipeline.syncOperations
            do { try pipeline.addHandler(handler) } catch { opened.fail(error) }
            return NIOLoopBound(handler, eventLoop: loop)
        }
        try await opened.futureResult.get()
        let handler = try await removed.get()
        try await loop.flatSubmit { channel.pipeline.syncOperations.removeHandler(handler.value) }.get()
    }

    // MARK: The handshake

    private func shakeHands(
        _ channel: any Channel, request: HandshakeRequest, timer: Scheduled<Void>
    ) async throws -> Outcome {
        let answer = loop.makePromise(of: ClientHandshakeHandler.Answer.self)
        // Cancelled on the event loop, not when this task is resumed: on a busy machine that may be late, and the timer
        // would end a good connection.
        answer.futureResult.whenComplete { _ in timer.cancel() }
        let upgrade = NIOLoopBoundBox<ClientUpgrade?>.makeBoxSendingValue(nil, eventLoop: loop)
        loop.execute {
            do {
                if endpoint.isSecure { try channel.pipeline.syncOperations.addHandler(tlsHandler()) }
                upgrade.value = try ClientUpgrade(
                    channel, request: request.head, heartbeat: heartbeat(),
                    replies: ReplyWatch(
                        configuration.replies.silence, awaitsMessages: configuration.replies.awaitsMessages,
                        report: configuration.replies.reportSilence), answer: answer)
            } catch {
                answer.fail(error)
            }
        }
        switch try await answer.futureResult.get() {
        case .refused(let head, let body):
            configuration.report?(.answered(status: Int(head.status.code), subprotocol: nil))
            channel.close(promise: nil)
            configuration.cookies?.keep(setCookieHeaders: head.headers["Set-Cookie"], from: endpoint.url)
            if let location = HandshakeRefusal.redirect(head) { return .redirected(location) }
            throw HandshakeRefusal.error(head, body: body, from: endpoint)
        case .switched(let head):
            let subprotocol = try request.subprotocol(acceptedBy: head)
            configuration.report?(.answered(status: 101, subprotocol: subprotocol))
            configuration.cookies?.keep(setCookieHeaders: head.headers["Set-Cookie"], from: endpoint.url)
            let certificates = judge.findings.certificates
            return try await loop.submit {
                guard let upgrade = upgrade.value else { throw ChannelError.ioOnClosedChannel }
                return .connected(
                    BLIPConnection(
                        channel: channel, handler: upgrade.handler, subprotocol: subprotocol,
                        responseHeaders: head.headers, peerCertificates: certificates))
            }.get()
        }
    }

    private func heartbeat() -> Heartbeat {
        Heartbeat(interval: configuration.heartbeat, pongTimeout: configuration.pongTimeout)
    }

    private func tlsHandler() throws -> NIOSSLClientHandler {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        // Our judge replaces the library's verification, including the host name, so the library needs no roots.
        tls.certificateVerification = .noHostnameVerification
        tls.trustRoots = .certificates([])
        tls.applicationProtocols = ["http/1.1"]
        let isAddress = (try? SocketAddress(ipAddress: endpoint.host, port: 0)) != nil
        return try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: tls), serverHostname: isAddress ? nil : endpoint.host,
            customVerificationCallback: judge.judge)
    }

    // MARK: Cancelling and failing

    private func keep(_ channel: any Channel) -> Bool {
        self.channel.withLockedValue { state in
            if case .cancelled = state {
                channel.close(promise: nil)
                return false
            }
            state = .open(channel)
            return true
        }
    }

    private func cancel() {
        channel.withLockedValue { state in
            if case .open(let channel) = state { channel.close(promise: nil) }
            state = .cancelled
        }
    }

    private func explained(_ error: any Error) -> TransportError {
        let isCancelled = channel.withLockedValue { if case .cancelled = $0 { true } else { false } }
        if isCancelled { return TransportError(.aborted, message: "The attempt to connect was cancelled.") }
        if NIODeadline.now() >= deadline { return .timedOut(endpoint) }
        if let failure = judge.findings.failure {
            var refused = TransportError(tls: error, failure, endpoint: endpoint)
            refused.serverCertificate = judge.findings.certificates.first
            refused.serverAuthority = judge.presentedAuthority
            return refused
        }
        if TransportError.isEndInHandshake(error) { return .endedInHandshake(error) }
        if error is NIOSSLError || error is BoringSSLError {
            return TransportError(tls: error, nil, endpoint: endpoint)
        }
        // If a proxy cannot be reached, the error must name the proxy, not the gateway.
        var dialed = endpoint
        (dialed.host, dialed.port) = self.dialed
        var failure = TransportError(connecting: error, to: dialed)
        if failure.code == .reset, !endpoint.isSecure {
            failure.hint = "If this port speaks TLS, the address must begin with wss:// instead of ws://."
        }
        return failure
    }
}

private enum CancellableChannel: Sendable {
    case none
    case open(any Channel)
    case cancelled
}

extension ChannelOptions.Types.WriteBufferWaterMark {
    /// For both sides of a BLIP connection.
    static var connection: Self {
        Self(low: TransportLimits.writeBufferLowWaterMark, high: TransportLimits.writeBufferHighWaterMark)
    }
}
