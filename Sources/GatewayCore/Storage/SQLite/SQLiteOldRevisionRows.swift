import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

/// Revisions that were replaced, read from a connection.
struct SQLiteOldRevisionRows: OldRevisionRows {
    let db: Database

    func find(_ revision: RevisionID, of document: Int64, now: Int64) throws -> RememberedRevision? {
        let statement = try RawStatement(
            """
            SELECT sequence, channels, attachments, body, expires FROM old_revisions
            WHERE document = ? AND revision = ? AND expires > ?
            """, db)
        statement.bind(1, to: document)
        statement.bind(2, to: revision.description)
        statement.bind(3, to: now)
        return try statement.first { row in
            let channels = try JSONValue(parsing: Array(row.text(1).utf8)).names
            let stored = StoredRevision(
                revision: revision, isDeleted: false, channels: channels,
                sequence: row.uint64(0), expires: nil,
                attachments: try row.textOrNil(2).map { try StoredAttachments(stored: $0) }, body: row.bytes(3))
            return RememberedRevision(revision: stored, until: row.int64(4))
        }
    }
}

/// Writes them in the transaction of a connection.
struct SQLiteOldRevisionWrites: OldRevisionWrites {
    let db: Database

    func insert(_ revisions: [ReplacedRevision]) throws {
        for replaced in revisions {
            try insert(replaced.revision, of: replaced.document, until: replaced.expires)
        }
    }

    private func insert(_ revision: StoredRevision, of document: Int64, until expires: Int64) throws {
        guard !revision.isDeleted, revision.body.count >= GatewayLimits.smallestOldRevision else { return }
        let channels = JSONValue.list(revision.channels).description
        let attachments = revision.attachments?.text
        let statement = try RawStatement(
            """
            INSERT OR IGNORE INTO old_revisions
            (document, revision, expires, sequence, size, channels, attachments, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, db)
        statement.bind(1, to: document)
        statement.bind(2, to: revision.revision.description)
        statement.bind(3, to: expires)
        statement.bind(4, to: revision.sequence)
        statement.bind(5, to: Int64(revision.body.count + channels.utf8.count + (attachments?.utf8.count ?? 0)))
        statement.bind(6, to: channels)
        statement.bind(7, to: attachments)
        statement.bindBlob(8, to: revision.body)
        try statement.run()
        try keepNewest(of: document)
    }

    private func keepNewest(of document: Int64) throws {
        let statement = try RawStatement(
            """
            DELETE FROM old_revisions WHERE number IN
            (SELECT number FROM old_revisions WHERE document = ? ORDER BY number DESC LIMIT -1 OFFSET ?)
            """, db)
        statement.bind(1, to: document)
        statement.bind(2, to: Int64(GatewayLimits.oldRevisionsPerDocument))
        try statement.run()
    }

    func deleteAll(document: Int64) throws {
        let statement = try RawStatement("DELETE FROM old_revisions WHERE document = ?", db)
        statement.bind(1, to: document)
        try statement.run()
    }

    func forget(now: Int64, limit: Int) throws -> Bool {
        let total = try RawStatement("SELECT coalesce(sum(size), 0) FROM old_revisions", db)
        var excess = try (total.first { $0.int64(0) } ?? 0) - Int64(limit)
        let oldest = try RawStatement("SELECT number, expires, size FROM old_revisions ORDER BY expires LIMIT ?", db)
        oldest.bind(1, to: Int64(GatewayLimits.forgottenAtOnce))
        var numbers: [Int64] = []
        var (bytes, isFull): (Int64, Bool) = (0, false)
        try oldest.forEachRow { row in
            // The rows are sorted by age: once a row exceeds the bytes of one call, it stays, and all newer ones stay,
            // too.
            guard row.int64(1) <= now || excess > 0, !isFull else { return }
            isFull = !numbers.isEmpty && bytes + row.int64(2) > Int64(GatewayLimits.forgottenBytesAtOnce)
            guard !isFull else { return }
            numbers.append(row.int64(0))
            bytes += row.int64(2)
            excess -= row.int64(2)
        }
        let deletion = try RawStatement("DELETE FROM old_revisions WHERE number = ?", db)
        for number in numbers {
            deletion.bind(1, to: number)
            try deletion.run()
        }
        return isFull || numbers.count == GatewayLimits.forgottenAtOnce
    }
}
