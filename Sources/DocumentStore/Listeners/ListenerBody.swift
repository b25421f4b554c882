import Synchronization

/// The application's code that is notified of events, until it is removed.
///
/// It is `@Sendable` with `@preconcurrency`: a closure in a type of the main actor would otherwise belong to that actor,
/// unseen, and end the program when it is called on a listener's queue; published examples, which use what surrounds them,
/// compile with a warning.
package final class ListenerBody<Event>: Sendable {
    /// A structure, for a closure in a `Mutex` is wrapped once more each time it is looked at.
    private struct Body: Sendable {
        let call: @Sendable (Event) -> Void
    }

    private let body: Mutex<Body?>

    package init(_ body: @escaping @Sendable (Event) -> Void) { self.body = Mutex(Body(call: body)) }

    package func callAsFunction(_ event: Event) {
        let present = body.withLock { $0 }
        present?.call(event)
    }

    /// An event that is on its way is not called any more.
    func remove() {
        // What it holds may remove other listeners when it is let go: never under the lock.
        let former = body.withLock { body in
            defer { body = nil }
            return body
        }
        withExtendedLifetime(former) {}
    }
}
