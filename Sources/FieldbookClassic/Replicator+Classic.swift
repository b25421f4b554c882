import DocumentStore
import Replication

extension Replicator {
    public convenience init(config: ReplicatorConfiguration) { self.init(config: config.current) }

    /// Forgets how far earlier replications have come: the next start compares everything again.
    ///
    /// As in Couchbase Lite 2.x it does not throw. While the replicator runs nothing is reset, and the log says so
    /// (`LogSinks`, domain `replicator`, level `error`).
    public func resetCheckpoint() {
        do {
            try requestReset()
        } catch {
            LibraryLog.replicator.error("\(error)")
        }
    }
}
