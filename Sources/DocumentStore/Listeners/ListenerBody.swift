import Synchronization

/// The application's code that is notified of events, until it is removed.
///
/// It is `@Sendable` with `@preconcurrency`: a closure in a type of the main actor would otherwise silently belong to that
/// actor, and end the program when it is called on a listener's queue. Published examples, which capture variables around
/// them, compile with a warning.
package final class ListenerBody<Event>: Sendable {
    /// A structure, because a closure in a `Mutex` is wrapped once more at each access.
    private struct Body: Sendable {
        let call: @Sendable (Event) -> Void
    }

    private let body: Mutex<Body?>

    package init(_ body: @escaping @Sendable (Event) -> Void) { self.body = Mutex(Body(call: body)) }

    package func callAsFunction(_ event: Event) {
        let present = body.withLock { $0 }
        present?.call(event)
    }

    /// An event that is already queued is not delivered any more.
    func remove() {
        // Not under the lock: the release of the body may remove other listeners.
        let former = body.withLock { body in
            defer { body = nil }
            return body
        }
        withExtendedLifetime(former) {}
    }
}
