import Synchronization

/// Whether the disk under a database is full, by what became of the last writes: reported once, and once when it is over.
package final class DiskSpace: Sendable {
    private struct State {
        /// When a write found no room last; `nil` where that is over.
        var lastFailure: ContinuousClock.Instant?
        var report: @Sendable (_ isFull: Bool) -> Void = { _ in }
    }

    private let state = Mutex(State())

    /// - Parameter report: called when the disk has become full, and when that is over.
    func onChange(_ report: @escaping @Sendable (_ isFull: Bool) -> Void) { state.withLock { $0.report = report } }

    package var isFull: Bool { state.withLock { $0.lastFailure != nil } }

    /// Something was not written; only a full disk counts.
    func note(_ failure: any Error, at time: ContinuousClock.Instant = .now) {
        guard StorageFailure.isFullDisk(failure) else { return }
        let report = state.withLock { state in
            defer { state.lastFailure = time }
            return state.lastFailure == nil ? state.report : nil
        }
        report?(true)
    }

    /// Something was written. Small writes go on for a while where large ones find no room.
    func noteSuccess(at time: ContinuousClock.Instant = .now) {
        let report = state.withLock { state -> (@Sendable (Bool) -> Void)? in
            guard let last = state.lastFailure, time - last >= GatewayLimits.diskCalm else { return nil }
            state.lastFailure = nil
            return state.report
        }
        report?(false)
    }
}
