import Dispatch
import Foundation

/// Spellings of Couchbase Lite 2.x and 3.0, which knew one collection: they mean the default one.
extension Database {
    /// For code of Couchbase Lite 2.x: the documents of the default collection; 0 where they cannot be counted.
    @available(*, deprecated, message: "Use defaultCollection().count.")
    public var count: UInt64 { (try? defaultCollection().count) ?? 0 }

    /// For code of Couchbase Lite 2.x: a document of the default collection; `nil` where there is none, or it cannot be
    /// read.
    @available(*, deprecated, message: "Use defaultCollection().document(id:).")
    public func document(withID id: String) -> Document? {
        // The older API has no way to report an error here, so it reports an absence.
        (try? defaultCollection().document(id: id)) ?? nil
    }

    /// For code of Couchbase Lite 2.x: a document of the default collection, or its absence.
    @available(*, deprecated, message: "Use defaultCollection()[key].")
    public subscript(key: String) -> DocumentFragment {
        DocumentFragment((try? defaultCollection().document(id: key)) ?? nil)
    }

    /// For code of Couchbase Lite 2.x: saves in the default collection; the last save wins.
    @available(*, deprecated, message: "Use defaultCollection().save(document:).")
    public func saveDocument(_ document: MutableDocument) throws {
        try defaultCollection().save(document: document)
    }

    /// For code of Couchbase Lite 2.x: saves in the default collection; false after a conflict with `failOnConflict`.
    @available(*, deprecated, message: "Use defaultCollection().save(document:concurrencyControl:).")
    @discardableResult
    public func saveDocument(_ document: MutableDocument, concurrencyControl: ConcurrencyControl) throws -> Bool {
        try defaultCollection().save(document: document, concurrencyControl: concurrencyControl)
    }

    /// For code of Couchbase Lite 2.x: saves in the default collection, and calls the handler if the document was
    /// changed elsewhere.
    @available(*, deprecated, message: "Use defaultCollection().save(document:conflictHandler:).")
    @discardableResult
    public func saveDocument(
        _ document: MutableDocument, conflictHandler: @escaping (MutableDocument, Document?) -> Bool
    ) throws -> Bool {
        try defaultCollection().save(document: document, conflictHandler: conflictHandler)
    }

    /// For code of Couchbase Lite 2.x: deletes from the default collection.
    @available(*, deprecated, message: "Use defaultCollection().delete(document:).")
    public func deleteDocument(_ document: Document) throws { try defaultCollection().delete(document: document) }

    /// For code of Couchbase Lite 2.x: deletes from the default collection; false after a conflict with
    /// `failOnConflict`.
    @available(*, deprecated, message: "Use defaultCollection().delete(document:concurrencyControl:).")
    @discardableResult
    public func deleteDocument(_ document: Document, concurrencyControl: ConcurrencyControl) throws -> Bool {
        try defaultCollection().delete(document: document, concurrencyControl: concurrencyControl)
    }

    /// For code of Couchbase Lite 2.x: removes every trace from the default collection.
    @available(*, deprecated, message: "Use defaultCollection().purge(document:).")
    public func purgeDocument(_ document: Document) throws { try defaultCollection().purge(document: document) }

    /// For code of Couchbase Lite 2.x: removes every trace from the default collection.
    @available(*, deprecated, message: "Use defaultCollection().purge(id:).")
    public func purgeDocument(withID id: String) throws { try defaultCollection().purge(id: id) }

    /// For code of Couchbase Lite 2.x: when a document of the default collection is purged; `nil` for never.
    @available(*, deprecated, message: "Use defaultCollection().setDocumentExpiration(id:expiration:).")
    public func setDocumentExpiration(withID id: String, expiration: Date?) throws {
        try defaultCollection().setDocumentExpiration(id: id, expiration: expiration)
    }

    /// For code of Couchbase Lite 2.x: when a document of the default collection is purged; `nil` for never, and where
    /// it cannot be read.
    @available(*, deprecated, message: "Use defaultCollection().getDocumentExpiration(id:).")
    public func getDocumentExpiration(withID id: String) -> Date? {
        (try? defaultCollection().getDocumentExpiration(id: id)) ?? nil
    }

    /// For code of Couchbase Lite 2.x: changes of the default collection, on a queue of the database's own.
    @available(*, deprecated, message: "Use defaultCollection().addChangeListener(listener:).")
    @preconcurrency @discardableResult
    public func addChangeListener(_ listener: @escaping @Sendable (DatabaseChange) -> Void) -> ListenerToken {
        addChangeListener(withQueue: nil, listener)
    }

    /// For code of Couchbase Lite 2.x: changes of the default collection, on a queue.
    @available(*, deprecated, message: "Use defaultCollection().addChangeListener(queue:listener:).")
    @preconcurrency @discardableResult
    public func addChangeListener(
        withQueue queue: DispatchQueue?, _ listener: @escaping @Sendable (DatabaseChange) -> Void
    ) -> ListenerToken {
        do {
            return try defaultCollection().addChangeListener(queue: queue) {
                listener(DatabaseChange(database: $0.collection.database, documentIDs: $0.documentIDs))
            }
        } catch {
            report(error, message: "a listener could not be added")
            return ListenerToken {}
        }
    }

    /// For code of Couchbase Lite 2.x: changes of one document of the default collection.
    @available(*, deprecated, message: "Use defaultCollection().addDocumentChangeListener(id:listener:).")
    @preconcurrency @discardableResult
    public func addDocumentChangeListener(
        withID id: String, _ listener: @escaping @Sendable (DocumentChange) -> Void
    ) -> ListenerToken {
        do { return try defaultCollection().addDocumentChangeListener(id: id, listener: listener) } catch {
            report(error, message: "a listener could not be added")
            return ListenerToken {}
        }
    }

    /// For code of Couchbase Lite 2.x: ends a listener.
    @available(*, deprecated, message: "Use token.remove().")
    public func removeChangeListener(withToken token: ListenerToken) { token.remove() }

    /// For code of Couchbase Lite 2.x: gives unused room on the disk back.
    @available(*, deprecated, message: "Use performMaintenance(type: .compact).")
    public func compact() throws { try performMaintenance(type: .compact) }
}

/// The event of the older listeners of a whole database.
public struct DatabaseChange: Sendable {
    /// The database that was changed.
    public let database: Database
    /// Documents that were saved, deleted, purged or received, each once.
    public let documentIDs: [String]
}
