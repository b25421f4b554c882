import DocumentStore
import ServiceLifecycle
import Synchronization

/// A replicator as one of a program's services.
extension Replicator: Service {
    /// Starts, and returns when the replicator has stopped, as ``run(reset:)`` does; goes on where earlier replications have
    /// come to.
    ///
    /// - Throws: the errors of ``run(reset:)``.
    public func run() async throws { try await run(reset: false) }

    /// Starts, and returns when the replicator has stopped: by itself, by `stop()`, by cancellation, or because the
    /// program shuts down.
    ///
    /// - Parameter reset: forget how far earlier replications have come.
    /// - Throws: the error with which it stopped, as its status has it: a ``ReplicationError``. Without one,
    ///   `CancellationError` in a task that is cancelled, since not everything may be exchanged; but not if the program shuts
    ///   down.
    public func run(reset: Bool) async throws {
        let error = await withTaskCancellationOrGracefulShutdownHandler {
            await ended {
                self.start(reset: reset)
                // The request to stop may have come before the start.
                if Task.isCancelled || Task.isShuttingDownGracefully { self.stop() }
            }
        } onCancelOrGracefulShutdown: {
            self.stop()
        }
        if let error { throw error }
        if Task.isCancelled, !Task.isShuttingDownGracefully { throw CancellationError() }
    }

    /// Waits for `stopped`, in a cancelled task, too: stopping takes its time.
    private func ended(after begin: () -> Void) async -> (any Error)? {
        await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
            let waiting = Mutex<CheckedContinuation<(any Error)?, Never>?>(continuation)
            let token = Mutex<ListenerToken?>(nil)
            let listener = changeListeners.add(deliveryQueue, hearing: .later) { change in
                guard change.status.activity == .stopped else { return }
                token.withLock { $0.take()?.remove() }
                waiting.withLock { $0.take() }?.resume(returning: change.status.error)
            }
            token.withLock { $0 = listener }
            begin()
        }
    }
}
