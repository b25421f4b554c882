extension StoreCore {
    /// Purges the documents whose time has come.
    ///
    /// - Returns: when the next one comes, in seconds since 1970; `nil` if none has a time.
    func purgeExpired() throws -> Double? {
        try write { transaction in
            for record in try CollectionCatalog.all(transaction.db) where record.isDue(at: transaction.now) {
                let table = try transaction.table(record.id)
                // One at a time: their bodies together may be larger than the memory.
                while let document = try table.findExpired(at: transaction.now.seconds) { try table.purge(document) }
            }
        }
        return try read(CollectionCatalog.all).nextExpiration
    }
}

extension [CollectionRecord] {
    /// The earliest of all, in seconds since 1970.
    var nextExpiration: Double? { compactMap(\.nextExpiration).min() }
}

extension CollectionRecord {
    fileprivate func isDue(at time: StoreInstant) -> Bool { nextExpiration.map { $0 <= time.seconds } ?? false }
}
