import NIOCore
import Synchronization

/// Closes a connection whose client does not read its messages.
///
/// Bytes that the client's system has confirmed count: a slow network confirms little by little, while this side's
/// system accepts some megabytes even if the client never reads.
package final class ReaderWatch: Sendable {
    private struct State {
        var isWaiting = false
        var confirmed: UInt64?
        /// Looks since the last confirmation.
        var looks = 0
        var task: RepeatedTask?
    }

    /// The number of looks within the limit.
    private static let looks = 4

    private let channel: any Channel
    private let onClose: @Sendable () -> Void
    private let state = Mutex(State())

    package init(_ channel: any Channel, limit: TimeAmount, onClose: @escaping @Sendable () -> Void) {
        self.channel = channel
        self.onClose = onClose
        let step = TimeAmount.nanoseconds(limit.nanoseconds / Int64(Self.looks))
        let task = channel.eventLoop.scheduleRepeatedTask(initialDelay: step, delay: step) { [weak self] _ in
            self?.look()
        }
        state.withLock { $0.task = task }
    }

    deinit { end() }

    /// Notes whether messages wait to be read. A feed without news has none.
    package func note(isWaiting: Bool) {
        state.withLock { state in
            if isWaiting, !state.isWaiting { state.looks = 0 }
            state.isWaiting = isWaiting
        }
    }

    package func end() {
        let task = state.withLock { state in
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }

    private func look() {
        guard state.withLock({ $0.isWaiting }) else { return }
        SocketProgress.read(of: channel) { [weak self] progress in
            guard let self, let progress, note(progress) else { return }
            onClose()
            channel.close(mode: .all, promise: nil)
        }
    }

    /// True when nothing was read for too long.
    private func note(_ progress: SocketProgress) -> Bool {
        state.withLock { state in
            guard state.isWaiting else { return false }
            state.looks = progress.confirmedBytes == state.confirmed ? state.looks + 1 : 0
            state.confirmed = progress.confirmedBytes
            return state.looks >= Self.looks
        }
    }
}
