/// Ends a sequence when the listener that feeds it is released: by a database that is closed, or by a replicator that is
/// itself released. A closed database accepts no listeners.
package final class StreamSource<Element: Sendable>: Sendable {
    package let continuation: AsyncStream<Element>.Continuation

    package init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
}
