import DocumentValues

/// The content of leaves that are not current, in documents that are in conflict.
protocol BranchRows {
    /// All of a document but tombstones without content.
    func all(of document: StoredDocument) async throws -> [StoredRevision]

    func find(_ wanted: RevisionID, of document: StoredDocument) async throws -> StoredRevision?
}

/// Writes the leaves that are not current.
protocol BranchWrites {
    func insert(_ branch: StoredRevision, of document: Int64) async throws

    func setChannels(_ channels: Set<Name>, of revision: RevisionID, document: Int64) async throws

    func delete(_ revision: RevisionID, of document: Int64) async throws

    func deleteAll(document: Int64) async throws
}
