import Synchronization

/// A registered listener; it is called until it is removed or the database is closed.
public final class ListenerToken: Sendable {
    private struct Removal: Sendable {
        let run: @Sendable () -> Void
    }

    private let removal: Mutex<Removal?>

    package init(_ removal: @escaping @Sendable () -> Void) { self.removal = Mutex(Removal(run: removal)) }

    /// Ends the calls; a call that has begun may still be running. A listener of a replicator may still be called for
    /// events that happened before. Calling it again does nothing.
    public func remove() {
        let removal = removal.withLock { removal in
            defer { removal = nil }
            return removal
        }
        removal?.run()
    }
}
