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

    /// Whether a new listener gets an event that happened before it was added, and whose notice is not sent yet.
    enum Hearing {
        /// It gets that, too: a caller that starts first and then adds a listener gets the end, if the notice of it is
        /// not sent yet.
        case all
        /// It does not: a caller that adds a listener first and then starts must not take a former end for that of its
        /// own run.
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

    /// The number of the listener that was added last.
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
            // Outside of the lock: the release of the body may remove other listeners.
            _ = self?.state.withLock { $0.entries.removeValue(forKey: number) }
        }
    }

    /// Each listener gets the events in their order.
    ///
    /// - Parameter newest: the newest listener when the event happened.
    func notify(_ event: Event, upTo newest: UInt64 = .max) {
        let entries = state.withLock { state in
            state.entries.filter { $0.key <= newest || $0.value.hearing == .all }.sorted { $0.key < $1.key }.map(
                \.value)
        }
        for entry in entries { entry.queue.async { entry.body(event) } }
    }
}
