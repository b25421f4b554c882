import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

/// The channels' lists, read from a connection.
struct SQLiteFeedRows: FeedRows {
    let db: Database

    func page(_ part: ChannelPart) throws -> ChannelPage? {
        guard let statement = try statement(for: part) else { return nil }
        statement.bind(2, to: part.after)
        statement.bind(3, to: part.through)
        statement.bind(4, to: Int64(part.limit))
        var page = ChannelPage()
        page.rows.reserveCapacity(part.limit)
        try statement.forEachRow { row in
            page.count += 1
            page.lastSequence = row.uint64(0)
            let isRemoval = !row.isNull(2)
            // Skips the other columns of rows that were not requested: in long lists, these may be many.
            guard part.wants(isGone: isRemoval || row.bool(isRemoval ? 3 : 6)) else { return }
            let channels = part.includesChannels ? try DocumentChannels(text: row.text(8)) : nil
            page.rows.append((ChannelRow(row, isRemoval: isRemoval), channels))
        }
        return page
    }

    func deletions(among entries: [ChannelEntry], in collection: Int64) throws -> Set<ChannelEntry> {
        let statement = try RawStatement("SELECT is_deleted FROM entries WHERE channel = ? AND sequence = ?", db)
        var deletions: Set<ChannelEntry> = []
        for entry in entries {
            let key = ChannelKey(collection: collection, channel: entry.channel)
            guard let number = try ChannelNumbers(db: db).number(of: key) else { continue }
            statement.bind(1, to: number)
            statement.bind(2, to: entry.sequence)
            if try statement.first({ $0.bool(0) }) == true { deletions.insert(entry) }
        }
        return deletions
    }

    private func statement(for part: ChannelPart) throws -> RawStatement? {
        if part.key.channel == Channel.all {
            let statement = try RawStatement(
                part.includesChannels ? Self.documentsWithChannels : Self.plainDocuments, db)
            statement.bind(1, to: part.key.collection)
            return statement
        }
        guard let number = try ChannelNumbers(db: db).number(of: part.key) else { return nil }
        let statement = try RawStatement(part.includesChannels ? Self.entriesWithChannels : Self.plainEntries, db)
        statement.bind(1, to: number)
        return statement
    }

    private static let plainDocuments = documents(with: "")
    private static let documentsWithChannels = documents(with: ", channels")
    private static let plainEntries = entries(with: "")
    private static let entriesWithChannels = entries(with: ", d.channels")

    private static func documents(with more: String) -> String {
        """
        SELECT sequence, number, NULL, 0, id, revision, is_deleted, sequence\(more) FROM documents
        WHERE collection = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?
        """
    }

    private static func entries(with more: String) -> String {
        """
        SELECT e.sequence, e.document, e.revision, e.is_deleted, d.id, d.revision, d.is_deleted, d.sequence\(more)
        FROM entries e JOIN documents d ON d.number = e.document
        WHERE e.channel = ? AND e.sequence > ? AND e.sequence <= ? ORDER BY e.sequence LIMIT ?
        """
    }
}

extension ChannelRow {
    fileprivate init(_ row: RawStatement, isRemoval: Bool) {
        self.init(
            sequence: row.uint64(0), document: row.int64(1), id: row.text(4), isRemoval: isRemoval,
            revision: row.text(isRemoval ? 2 : 5), isDeleted: row.bool(isRemoval ? 3 : 6), isGone: row.bool(6),
            documentSequence: row.uint64(7))
    }
}
