import DocumentValues
import GRDB
import SQLiteStorage

/// The content of attachments, by document and digest, in pieces.
enum AttachmentStore {
    static func has(_ digest: Name, document: Int64, _ db: Database) throws -> Bool {
        let statement = try RawStatement(
            "SELECT 1 FROM attachments WHERE document = ? AND digest = ? AND position = 0", db)
        statement.bind(1, document)
        statement.bind(2, digest)
        return try statement.first { _ in true } ?? false
    }

    static func insert(_ digest: Name, _ content: AttachmentContent, document: Int64, _ db: Database) throws {
        guard let length = content.length, try !has(digest, document: document, db) else { return }
        let statement = try RawStatement("INSERT INTO attachments VALUES (?, ?, ?, ?)", db)
        var position = 0
        repeat {
            statement.bind(1, document)
            statement.bind(2, digest)
            statement.bind(3, Int64(position))
            statement.bindBlob(4, try content.read(from: position, count: GatewayLimits.attachmentPiece))
            try statement.run()
            position += GatewayLimits.attachmentPiece
        } while position < length
    }

    static func delete(_ digests: Set<Name>, document: Int64, _ db: Database) throws {
        for digest in digests {
            let statement = try RawStatement("DELETE FROM attachments WHERE document = ? AND digest = ?", db)
            statement.bind(1, document)
            statement.bind(2, digest)
            try statement.run()
        }
    }

    static func deleteAll(document: Int64, _ db: Database) throws {
        let statement = try RawStatement("DELETE FROM attachments WHERE document = ?", db)
        statement.bind(1, document)
        try statement.run()
    }

    /// `nil` if it is not there.
    static func length(_ digest: Name, document: Int64, _ db: Database) throws -> Int? {
        let statement = try RawStatement(
            """
            SELECT position + length(content) FROM attachments WHERE document = ? AND digest = ?
            ORDER BY position DESC LIMIT 1
            """, db)
        statement.bind(1, document)
        statement.bind(2, digest)
        return try statement.first { Int($0.int64(0)) }
    }

    /// Up to `count` bytes from `offset`; fewer where the attachment ends or is gone.
    static func read(
        _ digest: Name, document: Int64, from offset: Int, count: Int, _ db: Database
    ) throws -> [UInt8] {
        let statement = try RawStatement(
            """
            SELECT position, content FROM attachments
            WHERE document = ? AND digest = ? AND position >= ? AND position < ? ORDER BY position
            """, db)
        statement.bind(1, document)
        statement.bind(2, digest)
        statement.bind(3, Int64(offset - offset % GatewayLimits.attachmentPiece))
        statement.bind(4, Int64(offset + count))
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
}
