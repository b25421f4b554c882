import DocumentStore
import ServiceLifecycle

/// A replicator as one of a program's services.
extension Replicator: Service {
    /// Starts, and returns when the replicator has stopped: by itself, by `stop()`, by cancellation, or because the
    /// program shuts down.
    ///
    /// - Throws: the error with which it stopped.
    public func run() async throws {
        let changes = statusChanges()
        let last = await withTaskCancellationOrGracefulShutdownHandler {
            start()
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
