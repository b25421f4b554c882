import NIOCore
import Synchronization

/// Whether the requests of a connection take turns with those of others.
///
/// Pipelined requests of a client are all there at once, and answering them needs no wait: without turns, other
/// connections would wait until all of them are answered.
final class RequestTurns: Sendable {
    private let pipelined = Atomic(false)

    /// Whether a request has ever arrived before the one in front of it was answered: more of them are likely to
    /// follow.
    var isPipelined: Bool { pipelined.load(ordering: .relaxed) }

    func notePipelined() { pipelined.store(true, ordering: .relaxed) }

    /// Waits for the event loop, so that it and the threads can serve other connections.
    func giveWay(on eventLoop: any EventLoop) async throws {
        guard isPipelined else { return }
        try await eventLoop.submit {}.get()
    }
}
