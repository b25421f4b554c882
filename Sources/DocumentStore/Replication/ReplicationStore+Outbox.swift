import DocumentValues
import GRDB
import SQLiteStorage

extension ReplicationStore {
    /// Keeps a refused push with its reason, unless the document has changed since it was sent.
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
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, 1 + \(OutboxTable.highestNumber))
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
            try OutboxTable.noteNumber(
                collection: table.collection, documentID: documentID, remote: remoteID, transaction.db)
            transaction.outboxChanged()
        }
    }

    /// Documents that this remote refused and that have not changed since, in the order of their ids. Their bodies are not kept
    /// in memory: an outbox may have many large documents.
    ///
    /// - Parameter isIncluded: whether documents that were refused with a code are wanted.
    package func refusedChanges(
        in collection: CollectionName, where isIncluded: (_ code: Int) -> Bool
    ) throws -> [LocalChange] {
        try read(collection) { reader in
            let query = try RawStatement(
                """
                SELECT sequence, id, documents.revision, remotes, flags, code, body
                FROM outbox JOIN documents_\(reader.record.id) AS documents
                ON documents.id = document_id AND documents.revision = outbox.revision
                WHERE collection = ?1 AND remote = ?2 ORDER BY document_id
                """, reader.db)
            query.bind(1, to: reader.record.id)
            query.bind(2, to: remoteID)
            var changes: [LocalChange] = []
            try query.forEachRow { row in
                guard isIncluded(Int(row.int64(5))) else { return }
                let remotes = RemoteRevisions(parsing: row.text(3))
                changes.append(try LocalChange(row, remoteRevision: remotes[remoteID]))
            }
            return changes
        }
    }

    /// Refused pushes of this remote.
    package func rejections(in collection: CollectionName) throws -> [RejectedPush] {
        try core.read { try OutboxTable.all($0).filter { $0.collection == collection && $0.remote.isExactly(remote) } }
    }
}
