import DocumentStore

/// Spellings of older generations.
extension Replicator {
    /// Ends a listener, as the token's `remove()` does.
    @available(*, deprecated, message: "Use token.remove().")
    public func removeChangeListener(withToken token: ListenerToken) { token.remove() }

    /// Of the default collection.
    @available(*, deprecated, message: "Use pendingDocumentIds(collection:).")
    public func pendingDocumentIds() throws -> Set<String> {
        try pendingDocumentIds(collection: defaultCollection())
    }

    /// Of the default collection.
    @available(*, deprecated, message: "Use isDocumentPending(_:collection:).")
    public func isDocumentPending(_ documentID: String) throws -> Bool {
        try isDocumentPending(documentID, collection: defaultCollection())
    }

    private func defaultCollection() throws -> Collection {
        guard let database = config.database else {
            throw ReplicationError.invalid("The replicator has no collections.")
        }
        return try database.defaultCollection()
    }
}
