import DocumentValues
import GRDB
import SQLiteStorage

/// Local documents: checkpoints of clients. They belong to a collection, no matter who wrote them.
extension GatewayDatabase {
    package func localDocument(_ id: String, in collection: CollectionName) async throws -> LocalDocument? {
        let number = try self.collection(collection).number
        return try await store.read(rows: 1) { db in try LocalDocument.fetch(id, in: number, db) }
    }

    /// Returns the new revision. 409 if `revision` is not the stored one, 404 if one is named but nothing is stored, 413
    /// where the requester has too many bytes in such documents then, each counted with what keeping it takes.
    package func putLocalDocument(
        _ id: String, body: [UInt8], revision: String?, in collection: CollectionName, as requester: Requester
    ) async throws -> String {
        let number = try self.collection(collection).number
        var body = body
        let members = try JSONTopLevel(settling: &body)
        let kept = members.removing(from: body) { $0.utf8.first == UInt8(ascii: "_") }
        guard !id.isEmpty, id.utf8.count <= GatewayLimits.localDocumentID else { throw GatewayError.invalidDocumentID }
        let now = now
        let owner = requester.userName?.text ?? ""
        return try await store.write { transaction in
            let stored = try LocalDocument.fetch(id, in: number, transaction.db)
            try LocalDocument.check(revision, stored)
            let next = (stored?.number ?? 0) + 1
            let statement = try RawStatement(
                """
                INSERT INTO local_documents (collection, id, revision, touched, body, owner) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET revision = excluded.revision, touched = excluded.touched,
                    body = excluded.body, owner = excluded.owner
                """, transaction.db)
            statement.bind(1, number)
            statement.bind(2, id)
            statement.bind(3, next)
            statement.bind(4, now)
            statement.bindBlob(5, kept)
            statement.bind(6, owner)
            try statement.run()
            try LocalDocument.checkShare(of: owner, transaction.db)
            return LocalDocument.revision(next)
        }
    }

    package func deleteLocalDocument(
        _ id: String, revision: String?, in collection: CollectionName
    ) async throws {
        let number = try self.collection(collection).number
        try await store.erase { transaction in
            guard let stored = try LocalDocument.fetch(id, in: number, transaction.db) else {
                throw GatewayError.missing
            }
            guard revision == stored.revision else { throw GatewayError.localConflict }
            let statement = try RawStatement(
                "DELETE FROM local_documents WHERE collection = ? AND id = ?", transaction.db)
            statement.bind(1, number)
            statement.bind(2, id)
            try statement.run()
        }
    }
}

extension LocalDocument {
    fileprivate static func revision(_ number: Int64) -> String { "0-\(number)" }

    fileprivate var number: Int64 { Int64(revision.dropFirst(2)) ?? 0 }

    fileprivate static func fetch(_ id: String, in collection: Int64, _ db: Database) throws -> LocalDocument? {
        let statement = try RawStatement(
            "SELECT revision, body FROM local_documents WHERE collection = ? AND id = ?", db)
        statement.bind(1, collection)
        statement.bind(2, id)
        return try statement.first {
            LocalDocument(id: id, revision: revision($0.int64(0)), body: $0.bytes(1))
        }
    }

    /// Administrators have no share: they write what they like.
    fileprivate static func checkShare(of owner: String, _ db: Database) throws {
        guard !owner.isEmpty else { return }
        let statement = try RawStatement("SELECT bytes FROM local_document_owners WHERE owner = ?", db)
        statement.bind(1, owner)
        guard let bytes = try statement.first({ $0.int64(0) }), bytes > GatewayLimits.localBytesOfUser else { return }
        throw GatewayError(
            413,
            "Too much in local documents: those of one user may have \(GatewayLimits.localBytesOfUser) bytes together")
    }

    fileprivate static func check(_ revision: String?, _ stored: LocalDocument?) throws {
        let named = revision.flatMap { $0.isEmpty ? nil : $0 }
        guard let stored else {
            guard named == nil else { throw GatewayError(404, "No previous revision to replace") }
            return
        }
        guard named == stored.revision else { throw GatewayError.localConflict }
    }
}
