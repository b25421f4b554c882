import Synchronization

/// A registered listener; it is called until it is removed or the database is closed.
public final class ListenerToken: Sendable {
    private let removal: Mutex<(@Sendable () -> Void)?>

    package init(_ removal: @escaping @Sendable () -> Void) { self.removal = Mutex(removal) }

    /// Ends the calls; one that has begun may still be under way. Further calls do nothing.
    public func remove() {
        let action = removal.withLock { removal in
            defer { removal = nil }
            return removal
        }
        action?()
    }
}
