import Dispatch

/// Documents of a collection that were saved, deleted, purged or received.
public struct CollectionChange: Sendable {
    /// The collection that was changed.
    public let collection: Collection
    /// Documents that were saved, deleted, purged or received, each once.
    public let documentIDs: [String]
}

/// A document that was saved, deleted, purged or received.
public struct DocumentChange: Sendable {
    /// The document that was saved, deleted, purged or received.
    public let documentID: String
    /// The collection that was changed.
    public let collection: Collection
    /// The database of the collection.
    public var database: Database { collection.database }
}

/// A type that reports the changes of its documents: a ``Collection``.
public protocol CollectionChangeObservable {
    /// Calls `listener` after commits, on a queue of the database's own.
    @preconcurrency @discardableResult
    func addChangeListener(listener: @escaping @Sendable (CollectionChange) -> Void) -> ListenerToken
    /// Calls `listener` after commits, on a queue of the caller's; `nil` means one of the database's own.
    @preconcurrency @discardableResult
    func addChangeListener(
        queue: DispatchQueue?, listener: @escaping @Sendable (CollectionChange) -> Void
    ) -> ListenerToken
}

extension Collection: CollectionChangeObservable {
    /// Calls `listener`, on a queue of the database's own, after commits that change documents of the collection,
    /// whether they are made here or by another process.
    ///
    /// The database stays open for as long as it has a listener, even if the program holds neither of them any more. Remove
    /// the token, or close the database, when you are done.
    @preconcurrency @discardableResult
    public func addChangeListener(listener: @escaping @Sendable (CollectionChange) -> Void) -> ListenerToken {
        addChangeListener(queue: nil, listener: listener)
    }

    /// - Parameter queue: where `listener` is called; `nil` means a queue of the database's own. A listener that uses state
    ///   of the main actor names `.main`, and uses it in `MainActor.assumeIsolated { … }`.
    @preconcurrency @discardableResult
    public func addChangeListener(
        queue: DispatchQueue?, listener: @escaping @Sendable (CollectionChange) -> Void
    ) -> ListenerToken {
        let body = ListenerBody(listener)
        return observe(body) { hub in
            .collection(number, queue ?? hub.deliveryQueue) { [self] in
                body(CollectionChange(collection: self, documentIDs: $0))
            }
        }
    }

    /// Calls `listener` after commits that change the document. The database stays open for as long as it has a listener; see
    /// ``addChangeListener(listener:)``.
    @preconcurrency @discardableResult
    public func addDocumentChangeListener(
        id: String, listener: @escaping @Sendable (DocumentChange) -> Void
    ) -> ListenerToken {
        addDocumentChangeListener(id: id, queue: nil, listener: listener)
    }

    /// - Parameter queue: where `listener` is called; `nil` means a queue of the database's own.
    @preconcurrency @discardableResult
    public func addDocumentChangeListener(
        id: String, queue: DispatchQueue?, listener: @escaping @Sendable (DocumentChange) -> Void
    ) -> ListenerToken {
        let body = ListenerBody(listener)
        return observe(body) { hub in
            .document(number, id: id, queue ?? hub.deliveryQueue) { [self] in
                body(DocumentChange(documentID: id, collection: self))
            }
        }
    }

    /// The same as an asynchronous sequence, from now on. It ends with its consumer, when the collection is deleted, and when
    /// the database is closed or deleted; at once where that has happened already.
    public func changes() -> AsyncStream<CollectionChange> {
        AsyncStream { continuation in
            let source = StreamSource(continuation)
            let token = addChangeListener { source.continuation.yield($0) }
            continuation.onTermination = { _ in token.remove() }
        }
    }

    /// The changes of one document as an asynchronous sequence, from now on. It ends as ``changes()`` does.
    public func documentChanges(id: String) -> AsyncStream<DocumentChange> {
        AsyncStream { continuation in
            let source = StreamSource(continuation)
            let token = addDocumentChangeListener(id: id) { source.continuation.yield($0) }
            continuation.onTermination = { _ in token.remove() }
        }
    }

    /// A closed database or a deleted collection has no more changes, so its listener is never called.
    private func observe<Event>(
        _ body: ListenerBody<Event>, with observer: (ChangeHub) -> ChangeHub.Observer
    ) -> ListenerToken {
        do {
            let hub = try database.changeHub()
            guard try database.core().read({ try CollectionCatalog.find(number, $0) }) != nil else {
                throw StoreError.notOpen
            }
            let observation = try hub.add(observer(hub))
            // Weak: the body may hold an object that holds the token.
            return ListenerToken { [weak body] in
                body?.remove()
                observation.remove()
            }
        } catch {
            database.report(error, message: "a listener could not be added")
            return ListenerToken {}
        }
    }
}
