import DocumentValues

extension Collection {
    /// `nil` if there is no such document, or if it is deleted or expired.
    ///
    /// - Throws: `.notOpen` if the database is closed or the collection deleted; `.corruptData` if the stored document cannot
    ///   be read.
    public func document(id: String) throws -> Document? {
        guard let found = try database.core().find(id, in: number), found.isVisible else { return nil }
        return try Document(id: id, found: found, collection: self)
    }

    /// The document of an id or its absence; errors count as absence.
    public subscript(key: String) -> DocumentFragment { DocumentFragment((try? document(id: key)) ?? nil) }

    /// Ids of the documents that are neither deleted nor expired, in the order of their bytes.
    ///
    /// ```swift
    /// var page = try collection.documentIDs(limit: 100)
    /// while let last = page.last {
    ///     for id in page { print(id) }
    ///     page = try collection.documentIDs(after: last, limit: 100)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: where to go on; the ids after this one, whether or not there is such a document.
    ///   - limit: how many at most; all by default.
    /// - Throws: `.notOpen` if the database is closed or the collection deleted.
    public func documentIDs(after id: String = "", limit: Int = .max) throws -> [String] {
        try read { try $0.identifiers(after: id, limit: max(0, limit)) }
    }

    /// The ids of a document's revisions, the present one first, then its ancestors as far as they are kept: the last
    /// 50, and those that a gateway is known to have. A deleted document has them, too; the list is empty if there is
    /// no such document.
    ///
    /// - Throws: `.notOpen` if the database is closed or the collection deleted.
    public func revisionHistory(id: String) throws -> [String] {
        try read { try $0.find(id)?.ancestry.revisions.map(\.description) } ?? []
    }

    /// Calls `body` for every live document in the order of the ids, in portions, so that memory stays bounded.
    package func forEachDocument(_ body: (Document) throws -> Void) throws {
        try forEachVisible { try body(try Document($0, collection: self)) }
    }
}

extension CollectionDocument {
    /// Neither deleted nor past its time.
    var isVisible: Bool { !isDeleted && !hasExpired }
}
