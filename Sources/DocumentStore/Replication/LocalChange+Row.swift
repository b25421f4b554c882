import DocumentValues
import SQLiteStorage

extension LocalChange {
    /// Reads a document's row without its body, which is only measured.
    ///
    /// - Parameter row: its first columns are the sequence, the id and the revision, the fifth has the flags, the seventh is
    ///   the body.
    init(_ row: RawStatement, remoteRevision: RevisionID?) throws {
        self.init(
            sequence: row.natural(0), documentID: row.text(1), revision: try row.revision(2),
            remoteRevision: remoteRevision,
            isDeleted: DocumentRowFlags(rawValue: row.int64(4)).contains(.deleted), bodySize: row.byteCount(6))
    }
}
