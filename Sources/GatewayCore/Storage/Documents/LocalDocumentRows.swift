import DocumentValues

/// Local documents, which belong to a collection, no matter who wrote them: in a collection an id is unique. They have no
/// sequence, and no commit's event says that one changed.
protocol LocalDocumentRows {
    /// `nil` if there is none.
    func find(_ id: String, in collection: Int64) async throws -> LocalDocument?

    /// The bytes of all local documents of an owner, in all collections: of their bodies and ids, and 100 each for what a row
    /// takes beside them. It is asked for at each write, so the engine keeps the sum. 0 for the empty owner, whose documents
    /// are not counted.
    func bytes(of owner: Name) async throws -> Int64
}

/// Writes local documents.
protocol LocalDocumentWrites {
    /// Inserts or replaces it; a replaced one changes its owner, and its bytes count for the new owner alone. Revisions are not
    /// compared: the caller has read the former one in the same transaction.
    ///
    /// - Parameters:
    ///   - owner: the user on whose account it counts; empty for an administrator.
    ///   - now: seconds since 1970.
    func put(_ document: LocalDocument, in collection: Int64, owner: Name, now: Int64) async throws

    /// Does nothing if there is none.
    func delete(_ id: String, in collection: Int64) async throws

    /// Deletes local documents that were last written before that second, with their bytes in the sums of their owners.
    func deleteUntouched(since time: Int64) async throws
}
