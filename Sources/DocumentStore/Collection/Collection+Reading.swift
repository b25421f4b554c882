import DocumentValues

extension Collection {
    /// `nil` if there is no such document, or it is deleted or expired.
    public func document(id: String) throws -> Document? {
        guard let stored = try read({ try $0.find(id) }), stored.isVisible else { return nil }
        return try Document(stored, collection: self)
    }

    /// The document of an id or its absence; errors count as absence.
    public subscript(key: String) -> DocumentFragment { DocumentFragment((try? document(id: key)) ?? nil) }

    /// Ids of the documents that are not deleted, in the order of their bytes: those after `id`, at most `limit`.
    package func documentIDs(after id: String = "", limit: Int = .max) throws -> [String] {
        try read { try $0.identifiers(after: id, limit: limit) }
    }

    /// Calls `body` for every live document in the order of the ids, in portions, so that memory stays bounded.
    package func forEachDocument(_ body: (Document) throws -> Void) throws {
        var last = ""
        while true {
            let portion = try read { try $0.documents(after: last, limit: StoreLimits.readBatch) }
            guard let end = portion.last else { return }
            for stored in portion where stored.isVisible { try body(try Document(stored, collection: self)) }
            last = end.id
        }
    }
}

extension StoredDocument {
    /// Neither deleted nor past its time.
    var isVisible: Bool { !isDeleted && (expiration.map { $0 > Timestamp.now.seconds } ?? true) }
}
