import DocumentValues

/// Local documents, which belong to a collection, no matter who wrote them.
protocol LocalDocumentRows {
    func find(_ id: String, in collection: Int64) async throws -> LocalDocument?

    /// The bytes of all local documents of an owner.
    func bytes(of owner: String) async throws -> Int64
}

/// Writes local documents.
protocol LocalDocumentWrites {
    /// - Parameters:
    ///   - owner: the user on whose account it counts; empty for an administrator.
    ///   - now: seconds since 1970.
    func put(_ document: LocalDocument, in collection: Int64, owner: String, now: Int64) async throws

    func delete(_ id: String, in collection: Int64) async throws

    /// Deletes local documents that have not been written since then.
    func deleteUntouched(since time: Int64) async throws
}
