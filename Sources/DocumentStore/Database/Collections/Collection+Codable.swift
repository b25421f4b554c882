import DocumentValues

/// A type that can be saved as a document: a class with a ``DocumentID``.
public typealias DocumentEncodable = Encodable & AnyObject
/// A type as which a document can be read.
public typealias DocumentDecodable = Decodable & AnyObject
/// A type that can be saved as a document and read again.
public typealias DocumentCodable = Codable & AnyObject

/// Objects as documents: classes that are `Codable` and have a `@DocumentID` property.
extension Collection {
    /// The document of an id as an object; `nil` if there is none.
    ///
    /// - Throws: `.invalidParameter` if the document does not fit the type, with the path of the value, and for a class
    ///   without a ``DocumentID``; otherwise the errors of ``document(id:)``.
    public func document<T: DocumentDecodable>(id: String, as type: T.Type) throws -> T? {
        guard let document = try document(id: id) else { return nil }
        return try object(type, from: document)
    }

    /// Saves an object; the last save wins. A new object gets its id here. Its `encode(to:)` may be called more
    /// than once.
    ///
    /// - Throws: `.invalidParameter` for content that no document can hold, such as an object that refers to itself, or more
    ///   than 512 levels of values, for a class without a ``DocumentID``, and if the id of a saved object was changed;
    ///   otherwise the errors of ``save(document:)``.
    public func save<T: DocumentEncodable>(from object: T) throws {
        _ = try save(from: object, concurrencyControl: .lastWriteWins)
    }

    /// - Returns: false with `failOnConflict` if the document was changed elsewhere since the object was read.
    /// - Throws: the errors of ``save(from:)``.
    public func save<T: DocumentEncodable>(from object: T, concurrencyControl: ConcurrencyControl) throws -> Bool {
        let id = try DocumentID.property(of: object)
        let document = try document(for: object, id)
        try keepFormer(of: id)
        guard try save(document: document, concurrencyControl: concurrencyControl) else { return false }
        id.attach(to: document)
        return true
    }

    /// Saves an object. If the document was changed elsewhere since the object was read, `conflictHandler` gets the
    /// object and the stored document (`nil` if that is deleted). It may change the object and says whether to save it.
    ///
    /// - Returns: false if the handler declined.
    /// - Throws: `.conflict` if the document has changed again after each of ten calls of the handler; `.invalidParameter` if
    ///   the stored document does not fit the type; otherwise the errors of ``save(from:)``.
    public func save<T: DocumentCodable>(
        from object: T, conflictHandler: @escaping (T, T?) -> Bool
    ) throws -> Bool {
        let id = try DocumentID.property(of: object)
        let document = try document(for: object, id)
        try keepFormer(of: id)
        var failure: (any Error)?
        let isSaved = try save(document: document) { [self] document, other in
            do {
                let other = try other.map { try self.object(T.self, from: $0) }
                guard conflictHandler(object, other) else { return false }
                try write(object, into: document)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        if isSaved { id.attach(to: document) }
        return isSaved
    }

    /// Deletes an object's document; of an object that was decoded from a row of a query, the document of its id.
    ///
    /// - Throws: `.notFound` if the object has not been saved, or its document is gone; `.invalidParameter` for a class without
    ///   a ``DocumentID``, and if the id of a saved object was changed; otherwise the errors of ``delete(document:)``.
    public func delete<T: DocumentEncodable>(for object: T) throws {
        _ = try delete(for: object, concurrencyControl: .lastWriteWins)
    }

    /// Deletes the document of an object; false with `failOnConflict` if it was changed elsewhere since it was read.
    ///
    /// - Throws: the errors of ``delete(for:)``.
    public func delete<T: DocumentEncodable>(for object: T, concurrencyControl: ConcurrencyControl) throws -> Bool {
        try delete(document: try savedDocument(of: object), concurrencyControl: concurrencyControl)
    }

    /// Forgets an object's document here.
    ///
    /// - Throws: the errors of ``delete(for:)``.
    public func purge<T: DocumentEncodable>(for object: T) throws {
        try purge(document: try savedDocument(of: object))
    }

    // MARK: How

    /// When a batch is rolled back, the objects that it saved get their former revision back. It is noted before the
    /// save: a failure in between would leave an object with a revision that is not stored.
    private func keepFormer(of id: DocumentID) throws {
        guard try database.core().isWriting else { return }
        let former = id.attachment
        try database.whenRolledBack { [weak id] in id?.takeBack(to: former) }
    }

    func object<T: DocumentDecodable>(_ type: T.Type, from document: Document) throws -> T {
        let object = try DocumentCoding.decode(type, from: document)
        try DocumentID.property(of: object).attach(to: document)
        return object
    }

    private func document(for object: some DocumentEncodable, _ id: DocumentID) throws -> MutableDocument {
        let document = try document(of: id)
        try write(object, into: document)
        return document
    }

    /// The document of an object, with its former content.
    func document(of id: DocumentID) throws -> MutableDocument {
        try id.check()
        return id.document?.toMutable() ?? MutableDocument(id: id.wrappedValue)
    }

    private func write(_ object: some DocumentEncodable, into document: MutableDocument) throws {
        let (body, blobs) = try DocumentCoding.encode(object)
        guard !blobs.isEmpty else { return document.setBody(body) }
        // Digests are known once the blobs are stored; a second pass then writes them.
        for blob in blobs { try blob.install(in: database) }
        document.setBody(try DocumentCoding.encode(object).body)
    }

    private func savedDocument(of object: some DocumentEncodable) throws -> Document {
        try savedDocument(of: try DocumentID.property(of: object))
    }

    func savedDocument(of id: DocumentID) throws -> Document {
        try id.check()
        let document = try id.document ?? id.wrappedValue.flatMap { try self.document(id: $0) }
        guard let document else { throw StoreError(.notFound, message: "The object has not been saved.") }
        return document
    }
}
