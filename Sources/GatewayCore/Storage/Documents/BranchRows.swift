import DocumentValues

/// The content of leaves that are not current, in documents that are in conflict.
protocol BranchRows {
    /// All that were inserted and not deleted, in the order of their insertion. None is read for a document whose tree is a
    /// line. Tombstones without content are only in the tree: they are never inserted.
    func all(of document: StoredDocument) async throws -> [StoredRevision]

    /// `nil` if there is none.
    func find(_ wanted: RevisionID, of document: StoredDocument) async throws -> StoredRevision?
}

/// Writes the leaves that are not current.
protocol BranchWrites {
    /// A revision that the document does not have here yet.
    func insert(_ branch: StoredRevision, of document: Int64) async throws

    /// The revision may have no row, as with `delete`; then nothing is done.
    func setChannels(_ channels: Set<Name>, of revision: RevisionID, document: Int64) async throws

    func delete(_ revision: RevisionID, of document: Int64) async throws

    func deleteAll(document: Int64) async throws
}
