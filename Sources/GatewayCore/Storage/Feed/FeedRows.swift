import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

/// The channels' lists: which documents came into a channel or left it, in the order of the sequences.
struct FeedRows {
    fileprivate let db: Database

    /// Hands out the rows of a list after a sequence, as many as `limit`. The list of `*` is that of all documents.
    ///
    /// - Returns: how many there were; `nil` where no document ever was in the channel.
    func forEach(
        in key: ChannelKey, after sequence: UInt64, through end: UInt64, limit: Int,
        _ body: (borrowing ChannelRow) throws -> Void
    ) throws -> Int? {
        guard let statement = try statement(for: key) else { return nil }
        statement.bind(2, to: sequence)
        statement.bind(3, to: end)
        statement.bind(4, to: Int64(limit))
        var count = 0
        try statement.forEachRow { row in
            count += 1
            try body(ChannelRow(row: row))
        }
        return count
    }

    private func statement(for key: ChannelKey) throws -> RawStatement? {
        if key.channel == Channel.all {
            let statement = try RawStatement(
                """
                SELECT sequence, number, NULL, 0, id, revision, is_deleted, sequence FROM documents
                WHERE collection = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?
                """, db)
            statement.bind(1, to: key.collection)
            return statement
        }
        guard let number = try ChannelNumbers(db: db).number(of: key) else { return nil }
        let statement = try RawStatement(
            """
            SELECT e.sequence, e.document, e.revision, e.is_deleted, d.id, d.revision, d.is_deleted, d.sequence
            FROM entries e JOIN documents d ON d.number = e.document
            WHERE e.channel = ? AND e.sequence > ? AND e.sequence <= ? ORDER BY e.sequence LIMIT ?
            """, db)
        statement.bind(1, to: number)
        return statement
    }
}

extension StoreReader {
    var feed: FeedRows { FeedRows(db: db) }
}

/// A row of a channel's list, to be read where it is handed out.
struct ChannelRow: ~Copyable {
    fileprivate let row: RawStatement

    var sequence: UInt64 { row.uint64(0) }
    var document: Int64 { row.int64(1) }
    var id: String { row.text(4) }
    /// The document left the channel.
    var isRemoval: Bool { !row.isNull(2) }
    /// The one with which it left, or else the current one.
    var revision: String { row.text(isRemoval ? 2 : 5) }
    /// Of `revision`.
    var isDeleted: Bool { row.bool(isRemoval ? 3 : 6) }
    /// Whether the document's current revision is a tombstone.
    var isGone: Bool { row.bool(6) }
    /// Of the document's current revision.
    var documentSequence: UInt64 { row.uint64(7) }
}
