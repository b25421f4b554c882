/// The application's code that is notified of events.
///
/// A structure, for a closure that is kept in a `Mutex` is wrapped once more each time it is looked at. It is `@Sendable` with
/// `@preconcurrency`: a closure in a type of the main actor would otherwise belong to that actor, unseen, and end the program
/// when it is called on a listener's queue; published examples, which use what surrounds them, compile with a warning.
package struct ListenerBody<Event>: Sendable {
    private let body: @Sendable (Event) -> Void

    package init(_ body: @escaping @Sendable (Event) -> Void) { self.body = body }

    package func callAsFunction(_ event: Event) { body(event) }
}
