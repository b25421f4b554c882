import DocumentValues

/// The content of leaves that are not current, in documents that are in conflict. A document has one row at most of a revision.
/// Whether a revision is deleted is not stored here: the tree of the document that is given says it.
protocol BranchRows {
    /// All that were inserted and not deleted, in the order of their insertion. None is read for a document whose tree is a
    /// line. Tombstones without content are only in the tree: they are never inserted.
    func all(of document: StoredDocument) async throws -> [StoredRevision]

    /// `nil` if there is none. Found by document and revision id, by bytes.
    func find(_ wanted: RevisionID, of document: StoredDocument) async throws -> StoredRevision?
}

/// Writes the leaves that are not current.
protocol BranchWrites {
    /// A revision that the document does not have here yet; an error if it has. It comes behind all others in `all`.
    func insert(_ branch: StoredRevision, of document: Int64) async throws

    /// Replaces the channels alone; the row keeps its position in `all`. The revision may have no row, as with `delete`; then
    /// nothing is done.
    func setChannels(_ channels: Set<Name>, of revision: RevisionID, document: Int64) async throws

    func delete(_ revision: RevisionID, of document: Int64) async throws

    /// Deletes the rows of a document, which there may be none of.
    func deleteAll(document: Int64) async throws
}
