import Synchronization

/// Whether the disk under a database is full, judged by the results of the last writes. It is reported once, and once
/// again when the disk has room.
package final class DiskSpace: Sendable {
    private struct State {
        /// When a write last found no room; `nil` if the disk has room again.
        var lastFailure: ContinuousClock.Instant?
        var report: @Sendable (_ isFull: Bool) -> Void = { _ in }
    }

    private let state = Mutex(State())

    /// - Parameter report: called when the disk has become full, and when that is over.
    func onChange(_ report: @escaping @Sendable (_ isFull: Bool) -> Void) { state.withLock { $0.report = report } }

    package var isFull: Bool { state.withLock { $0.lastFailure != nil } }

    /// A write failed; only failures by a full disk count.
    func note(_ failure: any Error, at time: ContinuousClock.Instant = .now) {
        guard StorageFailure.isFullDisk(failure) else { return }
        let report = state.withLock { state in
            defer { state.lastFailure = time }
            return state.lastFailure == nil ? state.report : nil
        }
        report?(true)
    }

    /// A write succeeded. Small writes still succeed when large ones fail, so the shortage ends only some time after
    /// the last failure.
    func noteSuccess(at time: ContinuousClock.Instant = .now) {
        let report = state.withLock { state -> (@Sendable (Bool) -> Void)? in
            guard let last = state.lastFailure, time - last >= GatewayLimits.diskCalm else { return nil }
            state.lastFailure = nil
            return state.report
        }
        report?(false)
    }
}
