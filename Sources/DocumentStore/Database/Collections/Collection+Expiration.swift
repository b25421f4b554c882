import Foundation

extension Collection {
    /// Sets when the document is purged here, which does not replicate; `nil` keeps it. A deleted document may have a date,
    /// too: its tombstone is then forgotten here.
    ///
    /// - Throws: `.notFound` if there never was such a document, or it is purged; `.invalidParameter` for a date that is no
    ///   number of seconds; `.notOpen` if the database is closed or the collection deleted, and `.busy`.
    public func setDocumentExpiration(id: String, expiration: Date?) throws {
        guard expiration?.timeIntervalSince1970.isFinite != false else {
            throw StoreError(
                .invalidParameter, message: "The date at which a document expires is no number of seconds.",
                context: ["document": id], hint: "Use nil to keep it.")
        }
        try database.core().write { transaction in
            let table = try transaction.table(number)
            guard let stored = try table.find(id), !stored.hasExpired else { throw StoreError.noDocument(id, in: self) }
            try table.setExpiration(expiration?.timeIntervalSince1970, of: stored)
        }
    }

    /// When the document is purged; `nil` if it is kept, or there is none.
    ///
    /// - Throws: `.notOpen` if the database is closed or the collection deleted.
    public func getDocumentExpiration(id: String) throws -> Date? {
        guard let stored = try read({ try $0.find(id) }), !stored.hasExpired else { return nil }
        return stored.expiration.map(Date.init(timeIntervalSince1970:))
    }
}
