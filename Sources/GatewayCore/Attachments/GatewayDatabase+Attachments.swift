import DocumentValues
import GRDB
import SQLiteStorage

/// The content of attachments.
extension GatewayDatabase {
    /// The content of one of a document's attachments, to be read piece by piece; 404 if it is not there.
    package func attachment(
        _ digest: BlobDigest, of id: String, in collection: CollectionName
    ) async throws -> AttachmentReader {
        let number = try self.collection(collection).number
        let found = try await store.read { db -> (document: Int64, length: Int)? in
            guard let document = try Self.documentNumber(id, number, db),
                let length = try AttachmentStore.length(Name(digest.text), document: document, db)
            else { return nil }
            return (document, length)
        }
        guard let found else { throw GatewayError.missing }
        return AttachmentReader(length: found.length, store: store, document: found.document, digest: Name(digest.text))
    }

    /// Which of these the document has stored, but for those of replaced revisions: they are about to go.
    package func storedAttachments(
        _ digests: Set<BlobDigest>, of id: String, in collection: CollectionName
    ) async throws -> Set<BlobDigest> {
        let number = try self.collection(collection).number
        return try await store.read { db in
            guard let document = try Self.documentNumber(id, number, db) else { return [] }
            return try digests.filter { digest in
                try AttachmentStore.has(Name(digest.text), document: document, db)
                    && !ReplacedAttachments.contains(Name(digest.text), document: document, db)
            }
        }
    }

    private static func documentNumber(_ id: String, _ collection: Int64, _ db: Database) throws -> Int64? {
        let statement = try RawStatement("SELECT number FROM documents WHERE collection = ? AND id = ?", db)
        statement.bind(1, collection)
        statement.bind(2, id)
        return try statement.first { $0.int64(0) }
    }
}
