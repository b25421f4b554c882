import DocumentValues
import SQLiteStorage

/// A document of which attachments are not here: they were put off when it was pulled, or lost on this disk.
package struct DocumentLackingBlobs: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let sequence: UInt64
    package let blobs: [BlobMetadata]
}

extension Collection {
    /// The live documents of which attachments are not here in the length that they name, the newest change first.
    ///
    /// - Parameters:
    ///   - sequence: only documents that changed before this one; `nil` for all.
    ///   - limit: documents at most.
    /// - Throws: `.notOpen` if the database is closed or the collection deleted; the errors of a storage whose key is not here.
    package func documentsLackingBlobs(
        before sequence: UInt64? = nil, limit: Int = .max
    ) throws -> [DocumentLackingBlobs] {
        let blobs = try database.core().blobs
        return try read { reader in
            var found: [DocumentLackingBlobs] = []
            let rows = try reader.documentsWithBlobs(before: sequence)
            defer { rows.reset() }
            while found.count < limit, try rows.step() {
                // A document that is damaged reports that when it is exchanged.
                guard let body = try? DocumentBody(scanned: rows.bytes(2)) else { continue }
                let missing = try body.named.filter { try !blobs.isWhole($0) }
                guard !missing.isEmpty else { continue }
                found.append(
                    DocumentLackingBlobs(documentID: rows.text(1), sequence: rows.natural(0), blobs: missing))
            }
            return found
        }
    }
}
