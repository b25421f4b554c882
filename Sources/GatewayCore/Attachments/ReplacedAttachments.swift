import DocumentValues
import GRDB
import SQLiteStorage

/// Content that the current revision no longer refers to, kept for a while: a client that was just sent the replaced
/// revision comes for its attachments a moment later.
///
/// Who gets it is not decided here: a digest alone opens nothing, only a revision that somebody may see and that names
/// it. So that nobody names it again, a revision that does without bringing the bytes ends the time at once.
enum ReplacedAttachments {
    /// - Parameter seconds: for how long it is kept; 0 to delete it now.
    static func add(_ digests: Set<Name>, document: Int64, now: Int64, seconds: Int64, _ db: Database) throws {
        guard !digests.isEmpty else { return }
        guard seconds > 0 else { return try AttachmentStore.delete(digests, document: document, db) }
        let statement = try RawStatement(
            "INSERT OR REPLACE INTO replaced_attachments (document, digest, expires, size) VALUES (?, ?, ?, ?)", db)
        for digest in digests.sorted() {
            guard let length = try AttachmentStore.length(digest, document: document, db) else { continue }
            statement.bind(1, document)
            statement.bind(2, digest)
            statement.bind(3, now + seconds)
            statement.bind(4, Int64(length))
            try statement.run()
        }
        try keepNewest(of: document, db)
    }

    /// The newest of a document, up to a number of bytes, and always one: who replaces a large attachment again and
    /// again must not fill the disk with it.
    private static func keepNewest(of document: Int64, _ db: Database) throws {
        let statement = try RawStatement(
            """
            SELECT number, digest FROM
            (SELECT number, digest, size, sum(size) OVER newest AS total, row_number() OVER newest AS place
            FROM replaced_attachments WHERE document = ?1 WINDOW newest AS (ORDER BY number DESC))
            WHERE place > 1 AND (total > ?2 OR place > ?3)
            """, db)
        statement.bind(1, document)
        statement.bind(2, Int64(GatewayLimits.replacedAttachmentBytes))
        statement.bind(3, Int64(GatewayLimits.replacedAttachments))
        try delete(try rows(statement) { _ in document }, db)
    }

    /// A new revision brings the bytes again.
    static func keep(_ digest: Name, document: Int64, _ db: Database) throws {
        let statement = try RawStatement("DELETE FROM replaced_attachments WHERE document = ? AND digest = ?", db)
        statement.bind(1, document)
        statement.bind(2, digest)
        try statement.run()
    }

    /// A new revision names these without bringing the bytes: they must not be had by that.
    static func deleteNow(_ digests: Set<Name>, document: Int64, _ db: Database) throws {
        for digest in digests where try contains(digest, document: document, db) {
            try keep(digest, document: document, db)
            try AttachmentStore.delete([digest], document: document, db)
        }
    }

    static func contains(_ digest: Name, document: Int64, _ db: Database) throws -> Bool {
        let statement = try RawStatement("SELECT 1 FROM replaced_attachments WHERE document = ? AND digest = ?", db)
        statement.bind(1, document)
        statement.bind(2, digest)
        return try statement.first { _ in true } ?? false
    }

    static func deleteAll(document: Int64, _ db: Database) throws {
        let statement = try RawStatement("DELETE FROM replaced_attachments WHERE document = ?", db)
        statement.bind(1, document)
        try statement.run()
    }

    /// Deletes what is over its time, some at once.
    ///
    /// - Returns: how many.
    static func forget(now: Int64, _ db: Database) throws -> Int {
        let statement = try RawStatement(
            """
            SELECT number, digest, document FROM replaced_attachments WHERE expires <= ? ORDER BY expires LIMIT ?
            """, db)
        statement.bind(1, now)
        statement.bind(2, Int64(GatewayLimits.forgottenAttachmentsAtOnce))
        let due = try rows(statement) { $0.int64(2) }
        try delete(due, db)
        return due.count
    }

    private struct Entry {
        let number: Int64
        let digest: Name
        let document: Int64
    }

    private static func rows(_ statement: RawStatement, document: (RawStatement) -> Int64) throws -> [Entry] {
        var entries: [Entry] = []
        try statement.forEachRow {
            entries.append(Entry(number: $0.int64(0), digest: $0.name(1), document: document($0)))
        }
        return entries
    }

    private static func delete(_ entries: [Entry], _ db: Database) throws {
        let statement = try RawStatement("DELETE FROM replaced_attachments WHERE number = ?", db)
        for entry in entries {
            try AttachmentStore.delete([entry.digest], document: entry.document, db)
            statement.bind(1, entry.number)
            try statement.run()
        }
    }
}
