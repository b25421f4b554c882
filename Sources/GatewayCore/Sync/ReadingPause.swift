import BLIPProtocol
import NIOCore
import Synchronization

/// Whether a connection reads: not while much of what has come waits for its session, and not while the session wants nothing
/// more. The connection fills the session's queue on a thread of its own, so that without this a client that is faster than
/// its session would fill the memory.
final class ReadingPause: Sendable {
    private struct State {
        /// Bytes that have come and that the session has not looked at.
        var waiting = 0
        var isFull = false
        var isWanted = true

        var pauses: Bool { isFull || !isWanted }
    }

    /// What is to be done with the connection.
    enum Change: Sendable {
        case pause
        case resume
    }

    private let state = Mutex(State())
    private let apply: @Sendable (Change) -> Void

    /// - Parameter apply: called under a lock, so that changes come in their order.
    init(apply: @escaping @Sendable (Change) -> Void) { self.apply = apply }

    var waiting: Int { state.withLock { $0.waiting } }

    /// So many bytes have come.
    func put(_ bytes: Int) {
        change { state in
            state.waiting += bytes
            if state.waiting > GatewayLimits.unseenBytes { state.isFull = true }
        }
    }

    /// The session has looked at so many bytes.
    func take(_ bytes: Int) {
        change { state in
            state.waiting -= bytes
            if state.waiting <= GatewayLimits.unseenBytes / 2 { state.isFull = false }
        }
    }

    /// The session wants more, or nothing more for the moment.
    func want(_ isWanted: Bool) { change { $0.isWanted = isWanted } }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            let before = state.pauses
            body(&state)
            guard state.pauses != before else { return }
            apply(state.pauses ? .pause : .resume)
        }
    }

    private static func bytes(of properties: BLIPProperties) -> Int {
        properties.elements.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    /// What messages take while they wait.
    static func bytes(of incoming: [BLIPIncoming]) -> Int {
        incoming.reduce(0) { sum, event in
            switch event {
            case .request(let message), .response(_, let message):
                sum + GatewayLimits.bytesOfAnswer + message.body.readableBytes + bytes(of: message.properties)
            case .responsePart(_, let bytes, _): sum + GatewayLimits.bytesOfAnswer + bytes.readableBytes
            case .failure, .sent: sum + GatewayLimits.bytesOfAnswer
            }
        }
    }
}
