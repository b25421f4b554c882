import BLIPProtocol
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Finds out the purpose of a new connection, and sets its pipeline up for that. All of it runs on the event loop,
/// except the authorisation.
final class ServerNegotiation<Plain: Sendable> {
    private let channel: any Channel
    private let limits: BLIPLimits
    private let pace: ArrivalPace
    private let readingLimit: TimeAmount
    private let memory: (any BLIPMemory)?
    private let authorize: @Sendable (HTTPRequestHead) async -> BLIPUpgradeDecision
    private let plain: @Sendable (any Channel) -> EventLoopFuture<Plain>
    private let result: EventLoopPromise<BLIPServerNegotiation<Plain>>
    private let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes))
    private var recorder: FirstRequestRecorder?
    private var reader: FirstRequestReader?
    private var timer: Scheduled<Void>?
    private var stage = Stage.deciding

    private enum Stage {
        case deciding
        /// The first request was refused, and the rest of it is discarded.
        case refusing
        case done
    }

    init(
        channel: any Channel, limits: BLIPLimits, pace: ArrivalPace, readingLimit: TimeAmount,
        memory: (any BLIPMemory)?,
        authorize: @escaping @Sendable (HTTPRequestHead) async -> BLIPUpgradeDecision,
        plain: @escaping @Sendable (any Channel) -> EventLoopFuture<Plain>
    ) {
        self.channel = channel
        self.limits = limits
        self.pace = pace
        self.readingLimit = readingLimit
        self.memory = memory
        self.authorize = authorize
        self.plain = plain
        result = channel.eventLoop.makePromise()
    }

    func begin() -> EventLoopFuture<BLIPServerNegotiation<Plain>> {
        let recorder = FirstRequestRecorder(memory: memory) { [self] in refuse($0) }
        let reader = FirstRequestReader { [self] in found($0) }
        self.recorder = recorder
        self.reader = reader
        do {
            try channel.pipeline.syncOperations.addHandlers([recorder, decoder, reader])
        } catch {
            fail(error)
        }
        let limit = TransportLimits.firstRequestTimeout
        timer = channel.eventLoop.assumeIsolated().scheduleTask(in: limit) { [self] in giveUp() }
        return result.futureResult
    }

    private func found(_ finding: FirstRequestReader.Finding) {
        timer?.cancel()
        recorder?.complete()
        switch finding {
        case .request(let head) where !head.hasLongText && BLIPServerUpgrade.isWebSocketHandshake(head):
            ask(about: head)
        case .request, .unreadable: goOnPlain()
        case .closed: giveUp()
        }
    }

    private func ask(about head: HTTPRequestHead) {
        // Further bytes of the client stay in the socket.
        _ = channel.setOption(.autoRead, value: false)
        let decision = channel.eventLoop.makePromise(of: BLIPUpgradeDecision.self)
        decision.completeWithTask { [authorize] in await authorize(head) }
        decision.futureResult.assumeIsolated().whenSuccess { [self] decision in
            guard stage == .deciding else { return }
            switch decision {
            case .accept(let subprotocol, let headers): upgrade(head, subprotocol: subprotocol, headers: headers)
            case .acceptMessages(let headers): upgradeToMessages(head, headers: headers)
            case .passOn: goOnPlain()
            }
        }
    }

    // MARK: The ways on

    private func upgrade(
        _ head: HTTPRequestHead, subprotocol: String, headers: [(name: String, value: String)]
    ) {
        guard let key = head.headers.first(name: "Sec-WebSocket-Key") else { return giveUp() }
        let answer = BLIPServerUpgrade.switchingProtocols(key: key, subprotocol: subprotocol, headers: headers)
        withoutHTTP { [self] in
            channel.writeAndFlush(ByteBuffer(string: answer), promise: nil)
            _ = channel.setOption(.writeBufferWaterMark, value: .connection)
            // A client that closes its sending side without a Close can have no connection. Half closed, the channel
            // would stay open under TLS for five seconds, until its TLS shutdown times out.
            _ = channel.setOption(.allowRemoteHalfClosure, value: false)
            let decoder = MeteredFrameDecoder(maxFrameSize: TransportLimits.webSocketMessageBytes)
            let handler = BLIPChannelHandler(
                role: .server, limits: limits, decoder: decoder, pace: pace, readingLimit: readingLimit)
            do {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(ByteToMessageHandler(decoder))
                if let counter = PieceCounter(in: pipeline) { try pipeline.addHandler(counter) }
                try pipeline.addHandler(handler)
            } catch {
                return fail(error)
            }
            let connection = BLIPConnection(channel: channel, handler: handler, subprotocol: subprotocol)
            handOver(recorder?.bytesAfterHead() ?? ByteBuffer())
            result.succeed(.upgraded(connection, head))
        }
    }

    private func upgradeToMessages(_ head: HTTPRequestHead, headers: [(name: String, value: String)]) {
        guard let key = head.headers.first(name: "Sec-WebSocket-Key") else { return giveUp() }
        let answer = BLIPServerUpgrade.switchingProtocols(key: key, subprotocol: nil, headers: headers)
        withoutHTTP { [self] in
            channel.writeAndFlush(ByteBuffer(string: answer), promise: nil)
            _ = channel.setOption(.writeBufferWaterMark, value: .connection)
            do {
                let limit = TransportLimits.clientMessageBytes
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limit)))
                if let counter = PieceCounter(in: pipeline) { try pipeline.addHandler(counter) }
                try pipeline.addHandlers([
                    WebSocketFrameEncoder(),
                    WebSocketProtocolErrorHandler(isServer: true),
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: limit, maxAccumulatedFrameSize: limit),
                ])
                let messages = try NIOAsyncChannel<WebSocketFrame, WebSocketFrame>(
                    wrappingChannelSynchronously: channel)
                handOver(recorder?.bytesAfterHead() ?? ByteBuffer())
                _ = channel.setOption(.autoRead, value: true)
                result.succeed(.messages(messages))
            } catch {
                fail(error)
            }
        }
    }

    private func goOnPlain() {
        withoutHTTP { [self] in
            plain(channel).assumeIsolated().whenComplete { [self] configured in
                switch configured {
                case .success(let value):
                    handOver(recorder?.recorded ?? ByteBuffer())
                    _ = channel.setOption(.autoRead, value: true)
                    result.succeed(.plain(value))
                case .failure(let error): fail(error)
                }
            }
        }
    }

    /// Goes on when our decoder, and then its reader, are out of the pipeline; the recorder still holds back the bytes.
    private func withoutHTTP(_ goOn: @escaping () -> Void) {
        guard stage == .deciding, channel.isActive, let reader else { return giveUp() }
        let pipeline = channel.pipeline.syncOperations
        let removed = pipeline.removeHandler(decoder).assumeIsolated().flatMap { pipeline.removeHandler(reader) }
        removed.whenComplete { [self] removed in
            switch removed {
            case .success: goOn()
            case .failure: giveUp()
            }
        }
    }

    /// Gives the bytes to the handlers that came after ours.
    private func handOver(_ bytes: ByteBuffer) {
        stage = .done
        let pipeline = channel.pipeline.syncOperations
        if let recorder, let context = try? pipeline.context(handler: recorder) {
            recorder.replay(bytes, context)
            // Fails only when the channel is closed, of which the handlers behind are notified themselves.
            _ = pipeline.removeHandler(recorder)
        }
        recorder = nil
        reader = nil
    }

    // MARK: The end

    /// Sends the reason, and reads on for a while: closing a socket with unread bytes resets the connection, and the
    /// client would never see the answer.
    private func refuse(_ excess: FirstRequestRecorder.Excess) {
        guard stage == .deciding else { return }
        stage = .refusing
        timer?.cancel()
        recorder?.discard()
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in giveUp() }
        channel.writeAndFlush(ByteBuffer(string: excess.answer), promise: nil)
        // Reading was off while the upgrade was being decided.
        _ = channel.setOption(.autoRead, value: true)
        timer = channel.eventLoop.assumeIsolated().scheduleTask(in: TransportLimits.restOfRefusedRequest) {
            [self] in giveUp()
        }
    }

    private func giveUp() {
        guard stage != .done else { return }
        stage = .done
        timer?.cancel()
        recorder = nil
        reader = nil
        channel.close(promise: nil)
        result.succeed(.closed)
    }

    private func fail(_ error: any Error) {
        guard stage != .done else { return }
        stage = .done
        channel.close(promise: nil)
        result.fail(error)
    }
}
