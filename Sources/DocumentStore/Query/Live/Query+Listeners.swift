import Dispatch

/// New results of a query.
public struct QueryChange: Sendable {
    /// The query that was listened to.
    public let query: Query
    /// All rows, as they are now; `nil` where the query failed.
    public let results: ResultSet?
    /// Why it failed.
    public let error: (any Error)?
}

extension Query {
    /// Calls `listener`, on a queue of the database's own, with the results, then each time when they have changed: because
    /// a commit, here or in another process, changed documents that the query reads, or because of new ``parameters``.
    /// While changes go on, the query runs at most once in a quarter of a second. A query that fails, for one where its
    /// collection was deleted, is reported once, and again when it fails otherwise or has results.
    ///
    /// Until the token is removed the database cannot be closed. The rows of a live query are all in memory.
    @preconcurrency @discardableResult
    public func addChangeListener(_ listener: @escaping @Sendable (QueryChange) -> Void) -> ListenerToken {
        addChangeListener(withQueue: nil, listener)
    }

    /// - Parameter queue: where `listener` is called; `nil` means a queue of the database's own. A listener that uses state
    ///   of the main actor names `.main`, and uses it in `MainActor.assumeIsolated { … }`.
    @preconcurrency @discardableResult
    public func addChangeListener(
        withQueue queue: DispatchQueue?, _ listener: @escaping @Sendable (QueryChange) -> Void
    ) -> ListenerToken {
        do {
            let database = try database()
            let queue = try queue ?? database.changeHub().deliveryQueue
            let body = ListenerBody(listener)
            let live = LiveQuery(self) { change in queue.async { body(change) } }
            try live.start(database)
            return ListenerToken { [weak body] in
                body?.remove()
                live.stop()
            }
        } catch {
            // The query has an error, which is the only result.
            let change = QueryChange(query: self, results: nil, error: error)
            (queue ?? .global()).async { listener(change) }
            return ListenerToken {}
        }
    }

    /// The same as an asynchronous sequence; it ends with its consumer. A slow consumer misses results that are out of date.
    public func changes() -> AsyncStream<QueryChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let token = addChangeListener { continuation.yield($0) }
            continuation.onTermination = { _ in token.remove() }
        }
    }

    /// The same as ``ListenerToken/remove()``.
    @available(*, deprecated, message: "Use token.remove().")
    public func removeChangeListener(withToken token: ListenerToken) { token.remove() }
}
