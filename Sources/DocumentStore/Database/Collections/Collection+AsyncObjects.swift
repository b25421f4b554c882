/// Objects as documents, for asynchronous code.
///
/// An object of a class may be used by one task at a time, so it stays with the caller: it is encoded and decoded in the
/// caller's isolation, such as an actor, and only its document goes to the database's own threads. There is no
/// `save(from:conflictHandler:)` for the same reason: with `.failOnConflict`, and after a conflict
/// ``Collection/AsyncCalls/document(id:as:isolation:)``, the caller does the same.
extension Collection.AsyncCalls {
    /// As ``Collection/document(id:as:)``.
    ///
    /// - Parameter isolation: the caller's, where the object is made.
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func document<T: DocumentDecodable>(
        id: String, as type: T.Type, isolation: isolated (any Actor)? = #isolation
    ) async throws -> T? {
        guard let document = try await document(id: id) else { return nil }
        return try collection.object(type, from: document)
    }

    /// As ``Collection/save(from:)``. The object is read before the call waits: later changes of it are not saved.
    ///
    /// - Parameter isolation: the caller's, where the object is read.
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the document is saved.
    public func save<T: DocumentEncodable>(
        from object: T, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        _ = try await save(from: object, concurrencyControl: .lastWriteWins, isolation: isolation)
    }

    /// As ``Collection/save(from:concurrencyControl:)``. The object is read before the call waits: later changes of it are not
    /// saved.
    ///
    /// - Parameter isolation: the caller's, where the object is read.
    /// - Returns: false with `failOnConflict` if the document was changed elsewhere since the object was read.
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the document is saved.
    public func save<T: DocumentEncodable>(
        from object: T, concurrencyControl: ConcurrencyControl, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Bool {
        let id = try DocumentID.property(of: object)
        let document = try collection.document(of: id)
        let (body, blobs) = try DocumentCoding.encode(object)
        if blobs.isEmpty {
            document.setBody(body)
        } else {
            try await write { collection in
                for blob in blobs { try blob.install(in: collection.database) }
            }
            // Their digests are known now.
            document.setBody(try DocumentCoding.encode(object).body)
        }
        guard try await save(document: document, concurrencyControl: concurrencyControl) else { return false }
        id.attach(to: document)
        return true
    }

    /// As ``Collection/delete(for:)``.
    ///
    /// - Parameter isolation: the caller's, where the object is read.
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func delete<T: DocumentEncodable>(
        for object: T, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await delete(document: try await savedDocument(of: try DocumentID.property(of: object)))
    }

    /// As ``Collection/delete(for:concurrencyControl:)``.
    ///
    /// - Parameter isolation: the caller's, where the object is read.
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func delete<T: DocumentEncodable>(
        for object: T, concurrencyControl: ConcurrencyControl, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Bool {
        try await delete(
            document: try await savedDocument(of: try DocumentID.property(of: object)),
            concurrencyControl: concurrencyControl)
    }

    /// As ``Collection/purge(for:)``.
    ///
    /// - Parameter isolation: the caller's, where the object is read.
    /// - Throws: its errors, and `CancellationError` if the task is cancelled before the call begins.
    public func purge<T: DocumentEncodable>(
        for object: T, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await purge(document: try await savedDocument(of: try DocumentID.property(of: object)))
    }

    private func savedDocument(of id: DocumentID) async throws -> Document {
        try await read { try $0.savedDocument(of: id) }
    }
}
