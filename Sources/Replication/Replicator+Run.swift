import DocumentStore
import ServiceLifecycle

/// A replicator as one of a program's services.
extension Replicator: Service {
    public func run() async throws { try await run(reset: false) }

    /// Starts, and returns when the replicator has stopped: by itself, by `stop()`, by cancellation, or because the
    /// program shuts down.
    ///
    /// - Parameter reset: forget how far earlier replications have come.
    /// - Throws: the error with which it stopped.
    public func run(reset: Bool) async throws {
        let changes = statusChanges()
        let last = await withTaskCancellationOrGracefulShutdownHandler {
            start(reset: reset)
            // The wish to stop may have come first.
            if Task.isCancelled || Task.isShuttingDownGracefully { stop() }
            var last: Status?
            for await change in changes where change.status.activity == .stopped {
                last = change.status
                break
            }
            return last
        } onCancelOrGracefulShutdown: {
            self.stop()
        }
        if let error = last?.error { throw error }
    }
}
