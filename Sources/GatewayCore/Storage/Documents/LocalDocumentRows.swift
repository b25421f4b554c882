import DocumentValues

/// Local documents, which belong to a collection, no matter who wrote them.
protocol LocalDocumentRows {
    /// `nil` if there is none.
    func find(_ id: String, in collection: Int64) async throws -> LocalDocument?

    /// The bytes of all local documents of an owner: of their bodies and ids, and 100 each for what a row takes beside them.
    func bytes(of owner: Name) async throws -> Int64
}

/// Writes local documents.
protocol LocalDocumentWrites {
    /// Inserts or replaces it; a replaced one changes its owner.
    ///
    /// - Parameters:
    ///   - owner: the user on whose account it counts; empty for an administrator.
    ///   - now: seconds since 1970.
    func put(_ document: LocalDocument, in collection: Int64, owner: Name, now: Int64) async throws

    /// Does nothing if there is none.
    func delete(_ id: String, in collection: Int64) async throws

    /// Deletes local documents that have not been written since then.
    func deleteUntouched(since time: Int64) async throws
}
