import Synchronization

/// Whether the client that waits for a write is still there to get the answer. It is asked at each step of the write, so that
/// waiting needs no task beside that of the request.
package final class ClientPresence: Sendable {
    private let left = Atomic(false)

    package init() {}

    package var isGone: Bool { left.load(ordering: .relaxed) }

    package func noteGone() { left.store(true, ordering: .relaxed) }
}
