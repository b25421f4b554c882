import NIOCore
import Synchronization

/// Whether the requests of a connection take turns with those of others.
///
/// Requests that a client sends without waiting for answers are all there at once, and answering them waits for nothing:
/// without turns, other connections wait until all of them are answered.
final class RequestTurns: Sendable {
    private let pipelined = Atomic(false)

    /// Whether a request ever came before the one in front of it was answered: more of that kind are likely to follow.
    var isPipelined: Bool { pipelined.load(ordering: .relaxed) }

    func notePipelined() { pipelined.store(true, ordering: .relaxed) }

    /// Waits for the event loop, which has the answers of other connections to write, and so for a thread, too.
    func giveWay(on eventLoop: any EventLoop) async throws {
        guard isPipelined else { return }
        try await eventLoop.submit {}.get()
    }
}
