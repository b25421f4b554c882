import Dispatch
import DocumentStore

extension Replicator {
    /// Calls `listener` when the activity changes, and now and then while there is progress.
    ///
    /// It must not wait for the replicator's end; see ``stop()``.
    @preconcurrency @discardableResult
    public func addChangeListener(_ listener: @escaping @Sendable (ReplicatorChange) -> Void) -> ListenerToken {
        addChangeListener(withQueue: nil, listener)
    }

    /// - Parameter queue: where `listener` is called; `nil` means a queue of the replicator's own. A listener that uses
    ///   state of the main actor names `.main`, and uses it in `MainActor.assumeIsolated { … }`.
    @preconcurrency @discardableResult
    public func addChangeListener(
        withQueue queue: DispatchQueue?, _ listener: @escaping @Sendable (ReplicatorChange) -> Void
    ) -> ListenerToken {
        changeListeners.add(queue ?? deliveryQueue, body: listener)
    }

    /// Calls `listener`, in batches, with the documents that were replicated or could not be. The status becomes `stopped`
    /// or `idle` after that, unless the listener takes more than two seconds.
    ///
    /// It must not wait for the replicator's end; see ``stop()``.
    @preconcurrency @discardableResult
    public func addDocumentReplicationListener(
        _ listener: @escaping @Sendable (DocumentReplication) -> Void
    ) -> ListenerToken {
        addDocumentReplicationListener(withQueue: nil, listener)
    }

    /// - Parameter queue: where `listener` is called; `nil` means a queue of the replicator's own.
    @preconcurrency @discardableResult
    public func addDocumentReplicationListener(
        withQueue queue: DispatchQueue?, _ listener: @escaping @Sendable (DocumentReplication) -> Void
    ) -> ListenerToken {
        documentListeners.add(queue ?? deliveryQueue, body: listener)
    }

    /// The same as `addChangeListener`, as an asynchronous sequence from now on. It ends with its consumer, and when the
    /// replicator is released. A stopped replicator may be started again, so the sequence does not end then: to wait for
    /// the end of a run, leave the loop at `stopped`:
    ///
    /// ```swift
    /// for await change in replicator.statusChanges() {
    ///     if change.status.activity == .stopped { break }
    /// }
    /// ```
    public func statusChanges() -> AsyncStream<ReplicatorChange> {
        AsyncStream { continuation in
            let source = StreamSource(continuation)
            let token = addChangeListener { source.continuation.yield($0) }
            continuation.onTermination = { _ in token.remove() }
        }
    }

    /// The same as `addDocumentReplicationListener`, as an asynchronous sequence from now on. It ends with its consumer, such
    /// as a `Task` that is cancelled after ``run()``, and when the replicator is released; not when it stops.
    public func documentReplications() -> AsyncStream<DocumentReplication> {
        AsyncStream { continuation in
            let source = StreamSource(continuation)
            let token = addDocumentReplicationListener { source.continuation.yield($0) }
            continuation.onTermination = { _ in token.remove() }
        }
    }

    /// Calls `listener` for each conflict that a resolver has settled.
    package func addConflictListener(
        _ listener: @escaping @Sendable (ResolvedDocumentConflict) -> Void
    ) -> ListenerToken {
        conflictListeners.add(deliveryQueue, body: listener)
    }

    /// Calls `listener` with the seconds for which the gateway has sent nothing although it owes a reply, early enough
    /// for a person who waits. The connection is given up much later.
    package func addSilenceListener(_ listener: @escaping @Sendable (_ seconds: Int64) -> Void) -> ListenerToken {
        silenceListeners.add(deliveryQueue, body: listener)
    }

    /// Calls `listener` for each attachment that was sent or received. An attachment that the other side already has is
    /// not sent.
    package func addAttachmentListener(
        _ listener: @escaping @Sendable (TransferredAttachment) -> Void
    ) -> ListenerToken {
        attachmentListeners.add(deliveryQueue, body: listener)
    }
}
