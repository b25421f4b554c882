import AccessControl
import DocumentValues
import GRDB

/// One entry of a channel's list on its way into a feed.
struct FeedEntry {
    let sequence: SequenceID
    let document: Int64
    let id: String
    let revision: String
    let isDeleted: Bool
    /// Whether the document's current revision is a tombstone.
    let isGone: Bool
    /// The document left the channel.
    let isRemoval: Bool
    let isRevoked: Bool
    let channel: String
}

/// Reads a part of one channel's list, page by page, as entries of a feed in their order.
struct FeedCursor {
    private enum Source {
        case scan(ChannelScan)
        case revocation(RevocationScan)
    }

    private let source: Source
    private let key: ChannelKey
    private var position: UInt64
    private let end: UInt64
    /// Entries that were read and not taken yet; the next one is the last.
    private var buffer: [FeedEntry] = []
    private var isAtEnd = false

    init(_ scan: ChannelScan, collection: Int64) {
        source = .scan(scan)
        key = ChannelKey(collection: collection, channel: scan.channel)
        position = scan.after
        end = scan.through
    }

    init(_ scan: RevocationScan, collection: Int64, through: UInt64) {
        source = .revocation(scan)
        key = ChannelKey(collection: collection, channel: scan.channel)
        position = scan.after
        end = through
    }

    /// The next entry's place; `nil` at the end. `fill` must have been called.
    var head: SequenceID? { buffer.last?.sequence }

    mutating func take() -> FeedEntry? { buffer.popLast() }

    /// Makes sure that the next entry is there, if there is one.
    mutating func fill(page: Int, view: AccessView, _ db: Database) throws {
        while buffer.isEmpty, !isAtEnd {
            let entries = try read(page, view, db)
            buffer = entries.reversed()
        }
    }

    private mutating func read(_ page: Int, _ view: AccessView, _ db: Database) throws -> [FeedEntry] {
        guard let statement = try statement(db) else {
            isAtEnd = true
            return []
        }
        statement.bind(2, position)
        statement.bind(3, end)
        statement.bind(4, Int64(page))
        var count = 0
        var entries: [FeedEntry] = []
        entries.reserveCapacity(page)
        var candidates: [(FeedEntry, UInt64)] = []
        try statement.forEachRow { row in
            count += 1
            position = row.uint64(0)
            guard let entry = entry(row) else { return }
            if entry.isRevoked { candidates.append((entry, position)) } else { entries.append(entry) }
        }
        isAtEnd = count < page
        if case .revocation(let scan) = source {
            for (entry, sequence) in candidates where try isLost(entry, sequence, scan, view, db) {
                entries.append(entry)
            }
        }
        return entries
    }

    private func statement(_ db: Database) throws -> RawStatement? {
        if key.channel == Channel.all {
            let statement = try RawStatement(
                """
                SELECT sequence, number, NULL, 0, id, revision, is_deleted FROM documents
                WHERE collection = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?
                """, db)
            statement.bind(1, key.collection)
            return statement
        }
        guard let number = try ChannelNumbers.number(of: key, db) else { return nil }
        let statement = try RawStatement(
            """
            SELECT e.sequence, e.document, e.revision, e.is_deleted, d.id, d.revision, d.is_deleted
            FROM entries e JOIN documents d ON d.number = e.document
            WHERE e.channel = ? AND e.sequence > ? AND e.sequence <= ? ORDER BY e.sequence LIMIT ?
            """, db)
        statement.bind(1, number)
        return statement
    }

    private func entry(_ row: RawStatement) -> FeedEntry? {
        let isRemoval = !row.isNull(2)
        let isDeleted = row.bool(isRemoval ? 3 : 6)
        let sequence = row.uint64(0)
        let triggeredBy: UInt64
        let isRevoked: Bool
        switch source {
        case .scan(let scan):
            guard scan.includes(sequence, isGone: isRemoval || isDeleted) else { return nil }
            triggeredBy = scan.triggeredBy
            isRevoked = false
        case .revocation(let scan):
            triggeredBy = scan.revokedAt
            isRevoked = true
        }
        return FeedEntry(
            sequence: SequenceID(sequence, triggeredBy: triggeredBy), document: row.int64(1), id: row.string(4),
            revision: row.string(isRemoval ? 2 : 5), isDeleted: isDeleted, isGone: row.bool(6), isRemoval: isRemoval,
            isRevoked: isRevoked, channel: key.channel)
    }

    /// Whether the client may have the document and may not see it any more.
    private func isLost(
        _ entry: FeedEntry, _ sequence: UInt64, _ scan: RevocationScan, _ view: AccessView, _ db: Database
    ) throws -> Bool {
        guard let channels = try StoredDocument.channels(number: entry.document, db) else { return false }
        // A tombstone that can be seen may be in a channel that was granted too late to tell of it.
        guard entry.isGone || !view.sees(channels.current.keys) else { return false }
        return scan.mayHave(sequence: sequence, membership: channels.stays(in: key.channel))
    }
}
