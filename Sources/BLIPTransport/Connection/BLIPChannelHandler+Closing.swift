import BLIPProtocol
import NIOCore
import NIOWebSocket

/// The state of a connection that is being closed.
enum ClosingState {
    case open
    /// This side wants to close; queued messages are still sent.
    case draining(BLIPCloseReason)
    /// This side's Close is written, or the connection is being dropped. The delegate will get the reason.
    case closing(BLIPCloseReason)

    /// Whether messages are still exchanged.
    var allowsMessages: Bool {
        switch self {
        case .open, .draining: true
        case .closing: false
        }
    }

    var reason: BLIPCloseReason? {
        switch self {
        case .open, .draining: nil
        case .closing(let reason): reason
        }
    }

    /// The channel is gone; an earlier reason is kept.
    mutating func end(with reason: BLIPCloseReason) {
        if allowsMessages { self = .closing(reason) }
    }
}

extension BLIPCloseReason {
    /// The socket ended without a Close.
    init(vanished: Void) {
        let error = TransportError(
            .closed(code: WebSocketCloseCode.abnormal), message: "The connection ended without a goodbye.",
            hint: "The other side, or something between, was stopped or cut off.")
        self.init(code: WebSocketCloseCode.abnormal, isByPeer: true, error: error)
    }

    init(aborting message: String) {
        self.init(
            code: WebSocketCloseCode.abnormal, isByPeer: false, error: TransportError(.aborted, message: "\(message)."))
    }
}

extension BLIPChannelHandler {
    /// This side wants to close.
    func beginClosing(code: UInt16, reason: String) {
        guard case .open = closing, let context else { return }
        closing = .draining(BLIPCloseReason(code: code, reason: reason, isByPeer: false))
        // Acknowledgements and the peer's Close must be read.
        setReading(paused: false)
        dropLater(context)
        pump()
    }

    func sayGoodbyeIfDrained() {
        guard case .draining(let reason) = closing, let context, !engine.hasQueuedMessages else { return }
        closing = .closing(reason)
        writeClose(code: reason.code, reason: reason.reason, context)
    }

    /// The peer's Close: the answer to ours, or the beginning of its own.
    func receivedClose(code: UInt16?, reason: String) {
        guard let context else { return }
        // The server ends the connection (RFC 6455, 7.1.1); a client waits for that, within limits.
        let dropsNow = role == .server
        guard closing.allowsMessages else {
            if dropsNow { context.close(mode: .all, promise: nil) }
            return
        }
        closing = .closing(BLIPCloseReason(code: code ?? WebSocketCloseCode.noStatus, reason: reason, isByPeer: true))
        writeClose(code: code, reason: reason, context, dropsAfter: dropsNow)
        dropLater(context)
    }

    private func writeClose(code: UInt16?, reason: String, _ context: ChannelHandlerContext, dropsAfter: Bool = false) {
        var payload = ByteBuffer()
        if let code {
            payload.writeInteger(code)
            payload.writeSubstring(reason.prefix(utf8Bytes: TransportLimits.closeReasonBytes))
        }
        let written = context.eventLoop.makePromise(of: Void.self)
        write(.connectionClose, data: payload, context: context, promise: written)
        context.flush()
        guard dropsAfter else { return }
        written.futureResult.assumeIsolated().whenComplete { [weak self] _ in
            self?.context?.close(mode: .all, promise: nil)
        }
    }

    /// Closes the connection after an error of the peer or of this side after which it cannot go on.
    func fail(_ error: BLIPError) {
        let message = "The connection cannot go on: \(error)."
        fail(
            code: WebSocketCloseCode.unexpectedCondition,
            TransportError(.protocolViolation, message: message, underlying: error))
    }

    /// Sends the reason, and ends the connection when the peer has confirmed it or does not answer. If the connection
    /// were dropped at once, the peer's system could discard the Close unread.
    func fail(code: UInt16, _ error: TransportError) {
        guard closing.allowsMessages, let context else { return }
        closing = .closing(BLIPCloseReason(code: code, reason: error.message, isByPeer: false, error: error))
        dropUnfinished()
        setReading(paused: false)
        writeClose(code: code, reason: error.message, context)
        dropLater(context)
    }

    /// Ends the connection without a Close.
    func abort(_ reason: BLIPCloseReason) {
        closing.end(with: reason)
        context?.close(mode: .all, promise: nil)
    }

    private func dropLater(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: TransportLimits.closeTimeout) { [weak self] in
            guard let self, self.context != nil else { return }
            if case .draining = self.closing {
                let error = TransportError(
                    .timedOut, message: "The peer did not take the remaining messages before the goodbye.")
                self.closing = .closing(
                    BLIPCloseReason(code: WebSocketCloseCode.abnormal, isByPeer: false, error: error))
            }
            self.context?.close(mode: .all, promise: nil)
        }
    }
}

extension String {
    /// As many whole characters as fit.
    func prefix(utf8Bytes limit: Int) -> Substring {
        guard utf8.count > limit else { return self[...] }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        return self[..<end]
    }
}
