import Dispatch
import Foundation

/// Spellings of Couchbase Lite 2.x and 3.0, which knew one collection: they mean the default one.
extension Database {
    @available(*, deprecated, message: "Use defaultCollection().count.")
    public var count: UInt64 { (try? defaultCollection().count) ?? 0 }

    @available(*, deprecated, message: "Use defaultCollection().document(id:).")
    public func document(withID id: String) -> Document? {
        // The older API has no way to report an error here, so it reports an absence.
        (try? defaultCollection().document(id: id)) ?? nil
    }

    @available(*, deprecated, message: "Use defaultCollection()[key].")
    public subscript(key: String) -> DocumentFragment {
        DocumentFragment((try? defaultCollection().document(id: key)) ?? nil)
    }

    @available(*, deprecated, message: "Use defaultCollection().save(document:).")
    public func saveDocument(_ document: MutableDocument) throws {
        try defaultCollection().save(document: document)
    }

    @available(*, deprecated, message: "Use defaultCollection().save(document:concurrencyControl:).")
    @discardableResult
    public func saveDocument(_ document: MutableDocument, concurrencyControl: ConcurrencyControl) throws -> Bool {
        try defaultCollection().save(document: document, concurrencyControl: concurrencyControl)
    }

    @available(*, deprecated, message: "Use defaultCollection().save(document:conflictHandler:).")
    @discardableResult
    public func saveDocument(
        _ document: MutableDocument, conflictHandler: @escaping (MutableDocument, Document?) -> Bool
    ) throws -> Bool {
        try defaultCollection().save(document: document, conflictHandler: conflictHandler)
    }

    @available(*, deprecated, message: "Use defaultCollection().delete(document:).")
    public func deleteDocument(_ document: Document) throws { try defaultCollection().delete(document: document) }

    @available(*, deprecated, message: "Use defaultCollection().delete(document:concurrencyControl:).")
    @discardableResult
    public func deleteDocument(_ document: Document, concurrencyControl: ConcurrencyControl) throws -> Bool {
        try defaultCollection().delete(document: document, concurrencyControl: concurrencyControl)
    }

    @available(*, deprecated, message: "Use defaultCollection().purge(document:).")
    public func purgeDocument(_ document: Document) throws { try defaultCollection().purge(document: document) }

    @available(*, deprecated, message: "Use defaultCollection().purge(id:).")
    public func purgeDocument(withID id: String) throws { try defaultCollection().purge(id: id) }

    @available(*, deprecated, message: "Use defaultCollection().setDocumentExpiration(id:expiration:).")
    public func setDocumentExpiration(withID id: String, expiration: Date?) throws {
        try defaultCollection().setDocumentExpiration(id: id, expiration: expiration)
    }

    @available(*, deprecated, message: "Use defaultCollection().getDocumentExpiration(id:).")
    public func getDocumentExpiration(withID id: String) -> Date? {
        (try? defaultCollection().getDocumentExpiration(id: id)) ?? nil
    }

    @available(*, deprecated, message: "Use defaultCollection().addChangeListener(listener:).")
    @discardableResult
    public func addChangeListener(_ listener: @escaping (DatabaseChange) -> Void) -> ListenerToken {
        addChangeListener(withQueue: nil, listener)
    }

    @available(*, deprecated, message: "Use defaultCollection().addChangeListener(queue:listener:).")
    @discardableResult
    public func addChangeListener(
        withQueue queue: DispatchQueue?, _ listener: @escaping (DatabaseChange) -> Void
    ) -> ListenerToken {
        do {
            return try defaultCollection().addChangeListener(queue: queue) {
                listener(DatabaseChange(database: $0.collection.database, documentIDs: $0.documentIDs))
            }
        } catch {
            report(error, "a listener could not be added")
            return ListenerToken {}
        }
    }

    @available(*, deprecated, message: "Use defaultCollection().addDocumentChangeListener(id:listener:).")
    @discardableResult
    public func addDocumentChangeListener(
        withID id: String, _ listener: @escaping (DocumentChange) -> Void
    ) -> ListenerToken {
        do { return try defaultCollection().addDocumentChangeListener(id: id, listener: listener) } catch {
            report(error, "a listener could not be added")
            return ListenerToken {}
        }
    }

    @available(*, deprecated, message: "Use token.remove().")
    public func removeChangeListener(withToken token: ListenerToken) { token.remove() }

    @available(*, deprecated, message: "Use performMaintenance(type: .compact).")
    public func compact() throws { try performMaintenance(type: .compact) }
}

/// What the older listeners of a whole database get.
public struct DatabaseChange: Sendable {
    public let database: Database
    public let documentIDs: [String]
}
