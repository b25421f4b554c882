import DocumentValues
import GRDB
import SQLiteStorage

/// The content of replaced attachments, in the transaction of a connection.
struct SQLiteReplacedAttachmentWrites: ReplacedAttachmentWrites {
    let db: Database

    private var rows: SQLiteAttachmentRows { SQLiteAttachmentRows(db: db) }
    private var attachments: SQLiteAttachmentWrites { SQLiteAttachmentWrites(db: db) }

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - seconds: how long the attachments are kept; 0 to delete them now.
    func insert(_ digests: Set<Name>, of document: Int64, now: Int64, seconds: Int64) throws {
        guard !digests.isEmpty else { return }
        guard seconds > 0 else {
            for digest in digests { try attachments.delete(digest, of: document) }
            return
        }
        let statement = try RawStatement(
            "INSERT OR REPLACE INTO replaced_attachments (document, digest, expires, size) VALUES (?, ?, ?, ?)", db)
        for digest in digests.sorted() {
            guard let length = try rows.length(of: digest, document: document) else { continue }
            statement.bind(1, to: document)
            statement.bind(2, to: digest)
            statement.bind(3, to: now + seconds)
            statement.bind(4, to: Int64(length))
            try statement.run()
        }
        try keepNewest(of: document)
    }

    /// Keeps the newest replaced attachments of a document up to a number of bytes, and always one: a user who replaces
    /// a large attachment again and again must not fill the disk.
    private func keepNewest(of document: Int64) throws {
        let statement = try RawStatement(
            """
            SELECT number, digest FROM
            (SELECT number, digest, size, sum(size) OVER newest AS total, row_number() OVER newest AS place
            FROM replaced_attachments WHERE document = ?1 WINDOW newest AS (ORDER BY number DESC))
            WHERE place > 1 AND (total > ?2 OR place > ?3)
            """, db)
        statement.bind(1, to: document)
        statement.bind(2, to: Int64(GatewayLimits.replacedAttachmentBytes))
        statement.bind(3, to: Int64(GatewayLimits.replacedAttachments))
        try delete(try statement.all { Entry(number: $0.int64(0), digest: $0.name(1), document: document) })
    }

    /// Ends the deletion time: a new revision brings the bytes again.
    func keep(_ digest: Name, of document: Int64) throws {
        let statement = try RawStatement("DELETE FROM replaced_attachments WHERE document = ? AND digest = ?", db)
        statement.bind(1, to: document)
        statement.bind(2, to: digest)
        try statement.run()
    }

    /// Deletes attachments that a new revision refers to without bringing their bytes: a writer must not get at them in
    /// that way.
    func deleteNow(_ digests: Set<Name>, of document: Int64) throws {
        for digest in digests where try rows.isReplaced(digest, of: document) {
            try keep(digest, of: document)
            try attachments.delete(digest, of: document)
        }
    }

    /// Deletes attachments whose time is over, a limited number for each call.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: how many.
    func forget(now: Int64) throws -> Int {
        let statement = try RawStatement(
            """
            SELECT number, digest, document FROM replaced_attachments WHERE expires <= ? ORDER BY expires LIMIT ?
            """, db)
        statement.bind(1, to: now)
        statement.bind(2, to: Int64(GatewayLimits.forgottenAttachmentsAtOnce))
        let due = try statement.all { Entry(number: $0.int64(0), digest: $0.name(1), document: $0.int64(2)) }
        try delete(due)
        return due.count
    }

    private struct Entry {
        let number: Int64
        let digest: Name
        let document: Int64
    }

    private func delete(_ entries: [Entry]) throws {
        let statement = try RawStatement("DELETE FROM replaced_attachments WHERE number = ?", db)
        for entry in entries {
            try attachments.delete(entry.digest, of: entry.document)
            statement.bind(1, to: entry.number)
            try statement.run()
        }
    }
}
