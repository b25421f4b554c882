import BLIPProtocol
import NIOCore

/// Closes the connection of a client that has begun a message and does not go on with it.
///
/// Nothing is asked of a client that is silent between messages. While some message is unfinished, in every window of
/// time enough bytes have to come for any of them, and in a longer time some for each.
final class ArrivalWatch {
    private var pace: ArrivalPace
    private weak var handler: BLIPChannelHandler?
    private var nextLook: Scheduled<Void>?
    private var arrived = 0
    private var unassembled = 0
    private var windows = 0
    private var wasPaused = false
    /// Everything that was begun was whole at some moment since the last look.
    private var wasIdle = false

    init(_ pace: ArrivalPace) { self.pace = pace }

    /// Looks from now on, unless it does so or nothing is unfinished.
    func begin(_ handler: BLIPChannelHandler, on loop: any EventLoop) {
        guard nextLook == nil, handler.isOwedMore, handler.closing.allowsMessages else { return }
        self.handler = handler
        arrived = 0
        unassembled = handler.unassembledBytes
        windows = 0
        wasPaused = handler.isReadingPaused
        wasIdle = false
        pace.startOver()
        schedule(on: loop)
    }

    /// A message that is unfinished at the next look began after this.
    func noteIdle() { wasIdle = true }

    func noteArrival(_ bytes: Int) { arrived += bytes }

    /// What nobody reads cannot come.
    func notePause() { wasPaused = true }

    func stop() {
        nextLook?.cancel()
        nextLook = nil
        handler = nil
    }

    private func schedule(on loop: any EventLoop) {
        nextLook = loop.assumeIsolated().scheduleTask(in: pace.window) { [weak self] in self?.look(on: loop) }
    }

    private func look(on loop: any EventLoop) {
        nextLook = nil
        guard let handler, handler.closing.allowsMessages, handler.isOwedMore else { return }
        let came = arrived + max(0, handler.unassembledBytes - unassembled)
        (arrived, unassembled) = (0, handler.unassembledBytes)
        let (paused, idle) = (wasPaused, wasIdle)
        (wasPaused, wasIdle) = (handler.isReadingPaused, false)
        if paused {
            pace.startOver()
        } else if idle {
            // What is here now had less than a window.
            pace.startOver()
            windows += 1
        } else if handler.isInMessage, !pace.note(came, waited: pace.window) {
            return giveUp(handler, "A message came too slowly: \(came) bytes in \(pace.seconds) s")
        } else {
            windows += 1
        }
        if windows == TransportLimits.windowsPerMessage {
            windows = 0
            if let number = handler.engine.messageWithoutProgress() {
                let time = pace.seconds * Int64(TransportLimits.windowsPerMessage)
                return giveUp(handler, "Message \(number) was left unfinished for \(time) s")
            }
        }
        schedule(on: loop)
    }

    private func giveUp(_ handler: BLIPChannelHandler, _ reason: String) {
        handler.fail(code: WebSocketCloseCode.transientApplicationError, TransportError(.timedOut, "\(reason)."))
    }
}

extension BLIPChannelHandler {
    /// Whether bytes have come that make no whole message.
    var isInMessage: Bool { engine.hasIncompleteMessages || unassembledBytes > 0 }

    var isOwedMore: Bool { isInMessage || engine.isOwedFrames }
}
