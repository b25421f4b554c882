import DocumentValues
import GRDB
import SQLiteStorage

/// The content of attachments, read from a connection.
struct SQLiteAttachmentRows: AttachmentRows {
    let db: Database

    func contains(_ digest: Name, of document: Int64) throws -> Bool {
        let statement = try RawStatement(
            "SELECT 1 FROM attachments WHERE document = ? AND digest = ? AND position = 0", db)
        statement.bind(1, to: document)
        statement.bind(2, to: digest)
        return try statement.first { _ in true } ?? false
    }

    /// The length in bytes; `nil` if the document has no such attachment.
    func length(of digest: Name, document: Int64) throws -> Int? {
        let statement = try RawStatement(
            """
            SELECT position + length(content) FROM attachments WHERE document = ? AND digest = ?
            ORDER BY position DESC LIMIT 1
            """, db)
        statement.bind(1, to: document)
        statement.bind(2, to: digest)
        return try statement.first { Int($0.int64(0)) }
    }

    /// Up to `count` bytes from `offset`; fewer if the attachment ends before, or was deleted.
    func read(_ digest: Name, of document: Int64, from offset: Int, count: Int) throws -> [UInt8] {
        let statement = try RawStatement(
            """
            SELECT position, content FROM attachments
            WHERE document = ? AND digest = ? AND position >= ? AND position < ? ORDER BY position
            """, db)
        statement.bind(1, to: document)
        statement.bind(2, to: digest)
        statement.bind(3, to: Int64(offset - offset % GatewayLimits.attachmentPiece))
        statement.bind(4, to: Int64(offset + count))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        try statement.forEachRow { row in
            let start = Int(row.int64(0))
            let piece = row.buffer(1)
            let from = max(0, offset - start)
            let through = min(piece.count, offset + count - start)
            if from < through { bytes.append(contentsOf: piece[from..<through]) }
        }
        return bytes
    }

    /// Whether no current revision refers to it any more, so that it will soon be deleted.
    func isReplaced(_ digest: Name, of document: Int64) throws -> Bool {
        let statement = try RawStatement("SELECT 1 FROM replaced_attachments WHERE document = ? AND digest = ?", db)
        statement.bind(1, to: document)
        statement.bind(2, to: digest)
        return try statement.first { _ in true } ?? false
    }
}

/// Writes them in the transaction of a connection.
struct SQLiteAttachmentWrites: AttachmentWrites {
    let db: Database

    private var rows: SQLiteAttachmentRows { SQLiteAttachmentRows(db: db) }

    /// Does nothing if the document already has the attachment.
    func insert(_ content: AttachmentContent, digest: Name, of document: Int64) throws {
        guard let length = content.length, try !rows.contains(digest, of: document) else { return }
        let statement = try RawStatement("INSERT INTO attachments VALUES (?, ?, ?, ?)", db)
        var position = 0
        repeat {
            statement.bind(1, to: document)
            statement.bind(2, to: digest)
            statement.bind(3, to: Int64(position))
            statement.bindBlob(4, to: try content.read(from: position, count: GatewayLimits.attachmentPiece))
            try statement.run()
            position += GatewayLimits.attachmentPiece
        } while position < length
    }

    func delete(_ digest: Name, of document: Int64) throws {
        let statement = try RawStatement("DELETE FROM attachments WHERE document = ? AND digest = ?", db)
        statement.bind(1, to: document)
        statement.bind(2, to: digest)
        try statement.run()
    }

    /// Deletes the attachments, and the notes about replaced ones.
    func deleteAll(of document: Int64) throws {
        for sql in [
            "DELETE FROM attachments WHERE document = ?", "DELETE FROM replaced_attachments WHERE document = ?",
        ] {
            let statement = try RawStatement(sql, db)
            statement.bind(1, to: document)
            try statement.run()
        }
    }
}
