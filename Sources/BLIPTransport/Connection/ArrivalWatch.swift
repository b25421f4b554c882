import BLIPProtocol
import NIOCore

/// Closes the connection of a client that has begun a message and does not complete it.
///
/// A client may be silent between messages. While messages are unfinished, enough bytes must arrive in every window of
/// time, for any of them; and in a longer time, some for each.
final class ArrivalWatch {
    private var pace: ArrivalPace
    private weak var handler: BLIPChannelHandler?
    private var nextLook: Scheduled<Void>?
    private var arrived = 0
    private var unassembled = 0
    private var time = ReadingTime(from: .uptimeNanoseconds(0), isPaused: false)
    /// The time since the last check of each single message.
    private var waitedForEach = TimeAmount.zero
    /// All messages were complete at some moment since the last look.
    private var wasIdle = false

    init(_ pace: ArrivalPace) { self.pace = pace }

    /// Begins to watch, unless it already does or no message is unfinished.
    func begin(_ handler: BLIPChannelHandler, on loop: any EventLoop) {
        guard nextLook == nil, handler.isOwedMore, handler.closing.allowsMessages else { return }
        self.handler = handler
        arrived = 0
        unassembled = handler.unassembledBytes
        time = ReadingTime(from: loop.now, isPaused: handler.isReadingPaused)
        waitedForEach = .zero
        wasIdle = false
        pace.startOver()
        schedule(on: loop)
    }

    /// Called when no message is unfinished: one that is unfinished at the next look has begun later.
    func noteIdle() { wasIdle = true }

    func noteArrival(_ bytes: Int) { arrived += bytes }

    /// While reading is paused, no bytes can arrive: that time does not count.
    func noteReading(isPaused: Bool, on loop: any EventLoop) { time.note(isPaused: isPaused, at: loop.now) }

    func stop() {
        nextLook?.cancel()
        nextLook = nil
        handler = nil
    }

    private func schedule(on loop: any EventLoop) {
        nextLook = loop.assumeIsolated().scheduleTask(in: pace.rest) { [weak self] in self?.look(on: loop) }
    }

    private func look(on loop: any EventLoop) {
        nextLook = nil
        guard let handler, handler.closing.allowsMessages, handler.isOwedMore else { return }
        let waited = time.take(until: loop.now)
        let came = arrived + max(0, handler.unassembledBytes - unassembled)
        (arrived, unassembled) = (0, handler.unassembledBytes)
        if wasIdle || !handler.isInMessage {
            // The present messages have had less than a window.
            pace.startOver()
            wasIdle = false
        } else if !pace.note(came, waited: waited, unfinished: handler.unfinishedBytes) {
            let least = "less than \(pace.bytes) bytes in \(pace.seconds) s"
            return giveUp(handler, because: "A message came too slowly: \(least)")
        }
        waitedForEach = waitedForEach + waited
        if waitedForEach >= pace.window * TransportLimits.windowsPerMessage {
            waitedForEach = .zero
            if let number = handler.engine.messageWithoutProgress() {
                let time = pace.seconds * Int64(TransportLimits.windowsPerMessage)
                return giveUp(handler, because: "Message \(number) was left unfinished for \(time) s")
            }
        }
        schedule(on: loop)
    }

    private func giveUp(_ handler: BLIPChannelHandler, because reason: String) {
        handler.fail(
            code: WebSocketCloseCode.transientApplicationError, TransportError(.timedOut, message: "\(reason)."))
    }
}

extension BLIPChannelHandler {
    /// Whether bytes of an incomplete message are here.
    var isInMessage: Bool { engine.hasIncompleteMessages || unassembledBytes > 0 }

    var isOwedMore: Bool { isInMessage || engine.isOwedFrames }

    /// Bytes of memory for incomplete messages.
    var unfinishedBytes: Int { engine.heldBytes + unassembledBytes }
}
