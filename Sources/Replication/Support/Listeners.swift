import Dispatch
import DocumentStore
import Synchronization

/// The listeners of one kind of event, each on its queue.
final class Listeners<Event: Sendable>: Sendable {
    private struct Entry {
        let queue: DispatchQueue
        let body: ListenerBody<Event>
        let hearing: Hearing
    }

    /// What a listener hears that happened before it was added, and of which the others are notified only then.
    enum Hearing {
        /// That, too: who starts something and then listens to it hears of its end, if the notice of it is not out yet.
        case all
        /// Nothing of it: who listens and then starts does not take a former end for that of its own.
        case later
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    func hasSome(on queue: DispatchQueue) -> Bool {
        state.withLock { $0.entries.values.contains { $0.queue === queue } }
    }

    /// The number of the one that was added last.
    var newest: UInt64 { state.withLock { $0.next } }

    func add(
        _ queue: DispatchQueue, hearing: Hearing = .all, body: @escaping @Sendable (Event) -> Void
    ) -> ListenerToken {
        let body = ListenerBody(body)
        let number = state.withLock { state in
            state.next += 1
            state.entries[state.next] = Entry(queue: queue, body: body, hearing: hearing)
            return state.next
        }
        return ListenerToken { [weak self] in
            // Out of the lock: what the body holds may remove other listeners when it is let go.
            _ = self?.state.withLock { $0.entries.removeValue(forKey: number) }
        }
    }

    /// Each listener hears of the events in their order.
    ///
    /// - Parameter newest: which listener was the newest when it happened.
    func notify(_ event: Event, upTo newest: UInt64 = .max) {
        let entries = state.withLock { state in
            state.entries.filter { $0.key <= newest || $0.value.hearing == .all }.sorted { $0.key < $1.key }.map(
                \.value)
        }
        for entry in entries { entry.queue.async { entry.body(event) } }
    }
}
