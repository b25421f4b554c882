import NIOCore
import NIOWebSocket

/// Pings the server at fixed times and gives the connection up when there is no answer.
///
/// Traffic does not move these times. While a pong is awaited, any received bytes count as a sign of life, because on a
/// slow line the pong may be behind a megabyte of messages. So do bytes that the server's system has confirmed, because
/// the ping may be behind them; and so does a pause of reading on this side.
final class Heartbeat {
    private let interval: TimeAmount
    private let timeout: TimeAmount
    private weak var handler: BLIPChannelHandler?
    private var nextPing: Scheduled<Void>?
    private var pongLimit: Scheduled<Void>?
    private var lastSign = NIODeadline.now()
    private var traffic = ConfirmedTraffic()

    init(interval: TimeAmount, pongTimeout: TimeAmount?) {
        self.interval = interval
        timeout = Self.pongTimeout(for: interval, pongTimeout)
    }

    /// Less than the interval, so that at most one ping is without its pong, but not too short if the interval is
    /// short.
    static func pongTimeout(for interval: TimeAmount, _ chosen: TimeAmount?) -> TimeAmount {
        let half = TimeAmount.nanoseconds(interval.nanoseconds / 2)
        return chosen ?? min(TransportLimits.longestPongTimeout, max(interval - .seconds(1), half))
    }

    func start(_ handler: BLIPChannelHandler, on loop: any EventLoop) {
        self.handler = handler
        schedulePing(at: loop.now + interval, on: loop)
    }

    func stop() {
        nextPing?.cancel()
        pongLimit?.cancel()
        handler = nil
    }

    func noteReading() { lastSign = .now() }

    /// - Parameter payloadBytes: of a ping or pong that is being written.
    func noteControlFrame(payloadBytes: Int) { traffic.noteControlFrame(payloadBytes: payloadBytes) }

    func notePong() {
        pongLimit?.cancel()
        pongLimit = nil
    }

    private func schedulePing(at deadline: NIODeadline, on loop: any EventLoop) {
        nextPing = loop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
            guard let self, let handler = self.handler, let context = handler.context else { return }
            if handler.closing.allowsMessages {
                self.ping(handler, context)
                if self.pongLimit == nil { self.awaitPong(within: self.timeout, on: loop) }
            }
            self.schedulePing(at: deadline + self.interval, on: loop)
        }
    }

    /// Pings at once, and waits for a shorter time than usual, because there is reason to doubt the connection.
    func check(on loop: any EventLoop) {
        guard let handler, let context = handler.context, handler.closing.allowsMessages else { return }
        ping(handler, context)
        pongLimit?.cancel()
        awaitPong(within: min(timeout, TransportLimits.checkTimeout), on: loop)
    }

    private func ping(_ handler: BLIPChannelHandler, _ context: ChannelHandlerContext) {
        handler.write(.ping, data: ByteBuffer(), context: context)
        context.flush()
    }

    private func awaitPong(within timeout: TimeAmount, on loop: any EventLoop) {
        // The next look is compared with this one.
        look {}
        awaitPong(until: loop.now + timeout, within: timeout, on: loop)
    }

    /// - Parameter isLastChance: the time was already up once. After a sleep of the machine, or on a busy loop, the
    ///   timer may be due while the pong is still unread in the socket: so the socket is read once more before.
    private func awaitPong(
        until deadline: NIODeadline, within timeout: TimeAmount, on loop: any EventLoop, isLastChance: Bool = false
    ) {
        pongLimit = loop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
            self?.look { [weak self] in self?.judge(timeout, on: loop, isLastChance: isLastChance) }
        }
    }

    private func judge(_ timeout: TimeAmount, on loop: any EventLoop, isLastChance: Bool) {
        guard pongLimit != nil, let handler else { return }
        let lastSign = handler.isReadingPaused ? loop.now : self.lastSign
        let limit = lastSign + timeout
        guard limit <= loop.now else { return awaitPong(until: limit, within: timeout, on: loop) }
        guard isLastChance else {
            let grace = min(timeout, TransportLimits.longestPongGrace)
            return awaitPong(until: loop.now + grace, within: timeout, on: loop, isLastChance: true)
        }
        let error = TransportError(
            .timedOut, message: "The server did not answer within \(Self.text(timeout)).",
            hint: "The network may be down; the connection will be tried again.")
        handler.abort(BLIPCloseReason(code: WebSocketCloseCode.abnormal, isByPeer: false, error: error))
    }

    // MARK: Bytes that are being sent

    /// Finds out how far the socket has got since the last look.
    private func look(then body: @escaping () -> Void) {
        guard let channel = handler?.context?.channel else { return }
        SocketProgress.read(of: channel) { [weak self] progress in
            if let progress { self?.note(progress) }
            body()
        }
    }

    private func note(_ progress: SocketProgress) {
        guard let silence = traffic.noteLook(progress) else { return }
        lastSign = max(lastSign, .now() - silence)
    }

    private static func text(_ time: TimeAmount) -> String {
        let milliseconds = time.nanoseconds / 1_000_000
        return milliseconds >= 1_000 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
