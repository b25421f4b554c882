extension StoreCore {
    /// Purges the documents whose time has come.
    func purgeExpired() throws {
        try write { transaction in
            for record in try CollectionCatalog.all(transaction.db) where record.isDue(at: transaction.now) {
                let table = try transaction.table(record.id)
                for document in try table.expired(at: transaction.now.seconds) {
                    try table.purge(document)
                }
            }
        }
    }
}

extension CollectionRecord {
    fileprivate func isDue(at time: Timestamp) -> Bool { nextExpiration.map { $0 <= time.seconds } ?? false }
}
