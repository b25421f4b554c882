import Foundation

extension Collection {
    /// The calls that wait for the disk or for another writer, for asynchronous code; see
    /// ``Database/async-swift.property``.
    ///
    /// ```swift
    /// if let note = try await notes.async.document(id: "first")?.toMutable() {
    ///     try await notes.async.save(document: note.setInt(1, forKey: "read"))
    /// }
    /// ```
    public var async: AsyncCalls { AsyncCalls(collection: self) }

    /// The calls of a collection that block none of Swift's threads.
    public struct AsyncCalls: Sendable {
        let collection: Collection

        func read<Value: Sendable>(
            _ body: @escaping @Sendable (Collection) throws -> Value
        ) async throws -> Value {
            try await collection.database.core().calls.read { try body(collection) }
        }

        func write<Value: Sendable>(
            _ body: @escaping @Sendable (Collection) throws -> Value
        ) async throws -> Value {
            try await collection.database.core().calls.write { try body(collection) }
        }

        // MARK: Reading

        /// As ``Collection/document(id:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func document(id: String) async throws -> Document? { try await read { try $0.document(id: id) } }

        /// As ``Collection/documentIDs(after:limit:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func documentIDs(after id: String = "", limit: Int = .max) async throws -> [String] {
            try await read { try $0.documentIDs(after: id, limit: limit) }
        }

        /// As ``Collection/revisionHistory(id:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func revisionHistory(id: String) async throws -> [String] {
            try await read { try $0.revisionHistory(id: id) }
        }

        /// As ``Collection/getDocumentExpiration(id:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func getDocumentExpiration(id: String) async throws -> Date? {
            try await read { try $0.getDocumentExpiration(id: id) }
        }

        // MARK: Saving

        /// As ``Collection/save(document:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func save(document: MutableDocument) async throws {
            try await write { try $0.save(document: document) }
        }

        /// As ``Collection/save(document:concurrencyControl:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func save(document: MutableDocument, concurrencyControl: ConcurrencyControl) async throws -> Bool {
            try await write { try $0.save(document: document, concurrencyControl: concurrencyControl) }
        }

        /// As ``Collection/save(document:conflictHandler:)``; the handler is called on a thread of the database's.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func save(
            document: MutableDocument, conflictHandler: @escaping @Sendable (MutableDocument, Document?) -> Bool
        ) async throws -> Bool {
            try await write { try $0.save(document: document, conflictHandler: conflictHandler) }
        }

        // MARK: Deleting

        /// As ``Collection/delete(document:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func delete(document: Document) async throws { try await write { try $0.delete(document: document) } }

        /// As ``Collection/delete(document:concurrencyControl:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func delete(document: Document, concurrencyControl: ConcurrencyControl) async throws -> Bool {
            try await write { try $0.delete(document: document, concurrencyControl: concurrencyControl) }
        }

        /// As ``Collection/purge(document:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func purge(document: Document) async throws { try await write { try $0.purge(document: document) } }

        /// As ``Collection/purge(id:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func purge(id: String) async throws { try await write { try $0.purge(id: id) } }

        /// As ``Collection/setDocumentExpiration(id:expiration:)``.
        ///
        /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
        public func setDocumentExpiration(id: String, expiration: Date?) async throws {
            try await write { try $0.setDocumentExpiration(id: id, expiration: expiration) }
        }
    }
}
