import GRDB

extension GRDB.Database {
    /// Ends the program unless it is called on the connection's queue: for state beside a connection that only its queue
    /// protects.
    package func preconditionOnQueue() {
        // GRDB checks that in most of its calls; this one does little else, and may be called after the connection is closed.
        _ = isInsideTransaction
    }
}
