/// The application's code that is notified of events.
///
/// Like in Couchbase Lite it need not be `@Sendable`, so that it may use what surrounds it, as published examples do.
// Unchecked: a body is called on its listener's queue only, so one event after the other unless the application has named
// a queue that works side by side; between here and there nothing else touches it.
package struct ListenerBody<Event>: @unchecked Sendable {
    private let body: (Event) -> Void

    package init(_ body: @escaping (Event) -> Void) { self.body = body }

    package func callAsFunction(_ event: Event) { body(event) }
}
