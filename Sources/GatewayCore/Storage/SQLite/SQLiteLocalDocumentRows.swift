import DocumentValues
import GRDB
import SQLiteStorage

/// Local documents, read from a connection.
struct SQLiteLocalDocumentRows: LocalDocumentRows {
    let db: Database

    func find(_ id: String, in collection: Int64) throws -> LocalDocument? {
        let statement = try RawStatement(
            "SELECT revision, body FROM local_documents WHERE collection = ? AND id = ?", db)
        statement.bind(1, to: collection)
        statement.bind(2, to: id)
        return try statement.first { LocalDocument(id: id, number: $0.int64(0), body: $0.bytes(1)) }
    }

    /// Bytes of the body; 0 if there is no document.
    func length(of id: String, in collection: Int64) throws -> Int {
        let statement = try RawStatement(
            "SELECT length(body) FROM local_documents WHERE collection = ? AND id = ?", db)
        statement.bind(1, to: collection)
        statement.bind(2, to: id)
        return try statement.first { Int($0.int64(0)) } ?? 0
    }

    /// The bytes of all local documents of an owner.
    func bytes(of owner: Name) throws -> Int64 {
        let statement = try RawStatement("SELECT bytes FROM local_document_owners WHERE owner = ?", db)
        statement.bind(1, to: owner)
        return try statement.first { $0.int64(0) } ?? 0
    }
}

/// Writes them in the transaction of a connection.
struct SQLiteLocalDocumentWrites: LocalDocumentWrites {
    let db: Database

    /// - Parameters:
    ///   - owner: the user on whose account it counts; empty for an administrator.
    ///   - now: seconds since 1970.
    func put(_ document: LocalDocument, in collection: Int64, owner: Name, now: Int64) throws {
        let statement = try RawStatement(
            """
            INSERT INTO local_documents (collection, id, revision, touched, body, owner) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET revision = excluded.revision, touched = excluded.touched,
                body = excluded.body, owner = excluded.owner
            """, db)
        statement.bind(1, to: collection)
        statement.bind(2, to: document.id)
        statement.bind(3, to: document.number)
        statement.bind(4, to: now)
        statement.bindBlob(5, to: document.body)
        statement.bind(6, to: owner)
        try statement.run()
    }

    func delete(_ id: String, in collection: Int64) throws {
        let statement = try RawStatement("DELETE FROM local_documents WHERE collection = ? AND id = ?", db)
        statement.bind(1, to: collection)
        statement.bind(2, to: id)
        try statement.run()
    }

    /// Deletes local documents that have not been written since then.
    func deleteUntouched(since time: Int64) throws {
        let statement = try RawStatement("DELETE FROM local_documents WHERE touched < ?", db)
        statement.bind(1, to: time)
        try statement.run()
    }
}
