import BLIPProtocol
import NIOCore

/// Gives a connection up when the server owes a reply, or other messages, and sends nothing any more. It is the clock of a
/// `ReplyWait`.
final class ReplyWatch {
    private let silence: SilenceLimits
    private let awaitsMessages: Bool
    private let report: (@Sendable (_ seconds: Int64) -> Void)?
    private var wait: ReplyWait
    private weak var handler: BLIPChannelHandler?
    private var nextLook: Scheduled<Void>?
    private var traffic = ConfirmedTraffic()

    /// - Parameters:
    ///   - awaitsMessages: whether the server owes messages for as long as the connection lasts.
    ///   - report: called with the time of the notice, on the connection's event loop.
    init(_ silence: SilenceLimits, awaitsMessages: Bool, report: (@Sendable (_ seconds: Int64) -> Void)?) {
        self.silence = silence
        self.awaitsMessages = awaitsMessages
        self.report = report
        wait = ReplyWait(silence)
    }

    func noteFrame() { wait.heard(at: .now()) }

    /// - Parameter payloadBytes: of a ping or pong that is being written.
    func noteControlFrame(payloadBytes: Int) { traffic.noteControlFrame(payloadBytes: payloadBytes) }

    /// Begins to watch while a reply is due.
    func begin(_ handler: BLIPChannelHandler, on loop: any EventLoop) {
        self.handler = handler
        wait.note(isOwed: awaitsMessages || handler.engine.isAwaitingReplies, at: loop.now)
        schedule(on: loop)
    }

    func stop() {
        nextLook?.cancel()
        nextLook = nil
        handler = nil
    }

    /// Frames that arrive move the deadline, but not the timer.
    private func schedule(on loop: any EventLoop) {
        guard nextLook == nil, let deadline = wait.deadline else { return }
        nextLook = loop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in self?.look(on: loop) }
        readProgress { _ in }
    }

    private func look(on loop: any EventLoop) {
        nextLook = nil
        readProgress { [weak self] silence in self?.judge(on: loop, uploadSilence: silence) }
    }

    /// How long ago the server's system confirmed bytes; `nil` if it confirmed none since the last look. On a slow line a
    /// server waits minutes for the photos that it has requested, and has nothing to send in that time.
    private func readProgress(_ body: @escaping (_ silence: TimeAmount?) -> Void) {
        guard let channel = handler?.context?.channel else { return }
        SocketProgress.read(of: channel) { [weak self] progress in
            guard let self, let progress else { return body(nil) }
            body(traffic.noteUpload(progress))
        }
    }

    private func judge(on loop: any EventLoop, uploadSilence: TimeAmount?) {
        guard let handler, handler.closing.allowsMessages else { return }
        if handler.isReadingPaused {
            wait.heard(at: loop.now)
        } else if let uploadSilence {
            wait.heard(at: loop.now - uploadSilence)
        }
        switch wait.timerFired(at: loop.now) {
        case .silent?: report?(Self.seconds(silence.notice))
        case .givenUp?: return giveUp(handler)
        case nil: break
        }
        schedule(on: loop)
    }

    private static func seconds(_ time: TimeAmount) -> Int64 { time.nanoseconds / 1_000_000_000 }

    private func giveUp(_ handler: BLIPChannelHandler) {
        let seconds = Self.seconds(silence.limit)
        let what = handler.engine.isAwaitingReplies ? "answered no request within" : "sent nothing for"
        let error = TransportError(
            .silent, message: "The server keeps the connection open, and \(what) \(seconds) s.",
            hint: "It may be overloaded or stuck. Try it again later.")
        handler.abort(BLIPCloseReason(code: WebSocketCloseCode.abnormal, isByPeer: false, error: error))
    }
}
