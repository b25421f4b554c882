import DocumentValues
import GRDB
import SQLiteStorage

/// Refused pushes of all remotes.
enum OutboxTable {
    /// The highest number that was ever given. An earlier version has noted none: then it is computed once.
    static let highestNumber = """
        coalesce((SELECT value FROM properties WHERE key = 'outbox_number'), (SELECT max(number) FROM outbox), 0)
        """

    /// A number that a user has seen must never mean another document, even after its own has left the outbox.
    static func noteNumber(collection: Int64, documentID: String, remote: Int64, _ db: GRDB.Database) throws {
        let note = try RawStatement(
            """
            INSERT INTO properties (key, value) SELECT 'outbox_number', max(number, \(highestNumber)) FROM outbox
            WHERE collection = ?1 AND document_id = ?2 AND remote = ?3
            ON CONFLICT (key) DO UPDATE SET value = excluded.value
            """, db)
        note.bind(1, to: collection)
        note.bind(2, to: documentID)
        note.bind(3, to: remote)
        try note.run()
    }

    static func all(_ db: GRDB.Database) throws -> [RejectedPush] {
        try RawStatement("\(entries) ORDER BY scope, name, document_id", db).all(entry)
    }

    /// Which documents of a collection a remote has refused.
    static func documentIDs(collection: Int64, remote: Int64, _ db: GRDB.Database) throws -> Set<Name> {
        let query = try RawStatement("SELECT document_id FROM outbox WHERE collection = ?1 AND remote = ?2", db)
        query.bind(1, to: collection)
        query.bind(2, to: remote)
        return Set(try query.all { Name($0.text(0)) })
    }

    /// Of one document, of all remotes.
    static func entries(of id: String, in collection: CollectionName, _ db: GRDB.Database) throws -> [RejectedPush] {
        let query = try RawStatement(
            """
            \(entries) WHERE collection = (SELECT id FROM collections WHERE scope = ?1 AND name = ?2) AND document_id = ?3
            """, db)
        query.bind(1, to: collection.scope)
        query.bind(2, to: collection.name)
        query.bind(3, to: id)
        return try query.all(entry)
    }

    private static let entries = """
        SELECT scope, name, document_id, revision, identity, code, reason, rejected_at, first_rejected_at, number,
        is_acknowledged
        FROM outbox JOIN collections ON collections.id = collection JOIN remotes ON remotes.id = remote
        """

    private static func entry(_ row: RawStatement) throws -> RejectedPush {
        RejectedPush(
            number: row.int64(9), collection: try CollectionName(scope: row.text(0), name: row.text(1)),
            documentID: row.text(2),
            revision: try row.revision(3), remote: row.text(4), code: Int(row.int64(5)), reason: row.text(6),
            date: row.double(7) ?? 0, firstDate: row.double(8) ?? 0, isAcknowledged: row.int64(10) != 0)
    }
}
