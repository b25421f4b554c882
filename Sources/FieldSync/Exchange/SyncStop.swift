import Synchronization

/// Ends a sync from outside, on any thread: that of a signal, or of a button.
public final class SyncStop: Sendable {
    private enum State {
        case notAsked
        /// With what is to be done when it is.
        case armed(@Sendable () -> Void)
        case asked
    }

    private let state = Mutex(State.notAsked)

    public init() {}

    /// The sync ends as soon as it can, with a report of what was done until then.
    public func ask() {
        let action: (@Sendable () -> Void)? = state.withLock { state in
            defer { state = .asked }
            if case .armed(let action) = state { return action }
            return nil
        }
        action?()
    }

    var isAsked: Bool {
        state.withLock { if case .asked = $0 { true } else { false } }
    }

    /// Is done at once where it has been asked already.
    func whenAsked(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if case .asked = state { return true }
            state = .armed(action)
            return false
        }
        if isLate { action() }
    }
}
