import DocumentValues
import GRDB
import SQLiteStorage

extension ReplicationStore {
    /// Keeps a refused push with its reason, unless the document has changed meanwhile.
    package func recordRejection(
        of documentID: String, revision: RevisionID, code: Int, reason: String, in collection: CollectionName
    ) throws {
        try core.write(.normal) { transaction in
            let table = try transaction.table(collection)
            guard try table.find(documentID)?.revision == revision else { return }
            let insert = try RawStatement(
                """
                INSERT INTO outbox
                (collection, document_id, remote, revision, code, reason, rejected_at, first_rejected_at, number)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, 1 + max(
                (SELECT coalesce(max(number), 0) FROM outbox),
                coalesce((SELECT value FROM properties WHERE key = 'outbox_number'), 0)))
                ON CONFLICT (collection, document_id, remote) DO UPDATE SET
                is_acknowledged = is_acknowledged AND code = excluded.code AND reason = excluded.reason,
                revision = excluded.revision, code = excluded.code, reason = excluded.reason,
                rejected_at = excluded.rejected_at
                """, transaction.db)
            insert.bind(1, to: table.collection)
            insert.bind(2, to: documentID)
            insert.bind(3, to: remoteID)
            insert.bind(4, to: revision.description)
            insert.bind(5, to: Int64(code))
            insert.bind(6, to: reason)
            insert.bind(7, to: transaction.now.seconds)
            try insert.run()
            try Outbox.noteNumbers(transaction.db)
            transaction.outboxChanged()
        }
    }

    /// Refused pushes of this remote.
    package func rejections(in collection: CollectionName) throws -> [RejectedPush] {
        try core.read { try Outbox.all($0).filter { $0.collection == collection && $0.remote.isExactly(remote) } }
    }
}

/// Refused pushes of all remotes.
enum Outbox {
    /// A number that somebody has read must not come to mean another document, when its own has left the outbox.
    static func noteNumbers(_ db: GRDB.Database) throws {
        try RawStatement(
            """
            INSERT INTO properties (key, value) SELECT 'outbox_number', max(number) FROM outbox WHERE true
            ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)
            """, db
        ).run()
    }

    static func all(_ db: GRDB.Database) throws -> [RejectedPush] {
        let query = try RawStatement(
            """
            SELECT scope, name, document_id, revision, identity, code, reason, rejected_at, first_rejected_at, number,
            is_acknowledged
            FROM outbox JOIN collections ON collections.id = collection JOIN remotes ON remotes.id = remote
            ORDER BY scope, name, document_id
            """, db)
        return try query.all { row in
            RejectedPush(
                number: row.int64(9), collection: try CollectionName(scope: row.text(0), name: row.text(1)),
                documentID: row.text(2),
                revision: try row.revision(3), remote: row.text(4), code: Int(row.int64(5)), reason: row.text(6),
                date: row.double(7) ?? 0, firstDate: row.double(8) ?? 0, isAcknowledged: row.int64(10) != 0)
        }
    }
}
