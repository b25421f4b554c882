/// A reader's place in the changes of one collection.
///
/// One caller at a time: `next` returns what is there, `waitForChanges` sleeps in a registry of waiters, without a thread
/// and without polling.
package final class ChangesFeed: Sendable {
    /// Up to `limit` rows after the last ones; empty and caught up when there are none. Never waits for changes.
    package func next(limit: Int) async throws -> ChangesBatch { fatalError("to come") }

    /// Returns when something that this feed may show was committed since `next` said "caught up".
    ///
    /// Throws `CancellationError` when the task is cancelled, and a `GatewayError` when the database goes offline.
    package func waitForChanges() async throws { fatalError("to come") }

    init() {}
}
