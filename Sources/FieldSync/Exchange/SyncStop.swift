import Synchronization

/// Ends a sync from outside, on any thread, such as that of a signal or a button.
public final class SyncStop: Sendable {
    private enum State {
        case notAsked
        /// With the action for the request.
        case armed(@Sendable () -> Void)
        case asked
    }

    private let state = Mutex(State.notAsked)

    public init() {}

    /// The sync ends as soon as it can, with a report of the exchange so far.
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

    /// Calls the action at once if the stop was already requested.
    func whenAsked(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if case .asked = state { return true }
            state = .armed(action)
            return false
        }
        if isLate { action() }
    }
}
