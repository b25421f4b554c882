/// Ends a sequence with the listener that feeds it: a database that is closed lets its listeners go, as a replicator does that
/// is let go itself, and a closed database takes none.
package final class StreamSource<Element: Sendable>: Sendable {
    package let continuation: AsyncStream<Element>.Continuation

    package init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
}
