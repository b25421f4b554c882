extension StoreCore {
    /// Purges the documents whose time has come.
    ///
    /// - Returns: when the next one comes, in seconds since 1970; `nil` if none has a time.
    func purgeExpired() throws -> Double? {
        while try purgeSomeExpired() {}
        return try read(CollectionCatalog.all).nextExpiration
    }

    /// - Returns: whether there may be more.
    private func purgeSomeExpired() throws -> Bool {
        do {
            return try write { try $0.purgeExpired(atMost: StoreLimits.expiredPortion) }
        } catch let error as StoreError where error.code == .diskFull {
            return try writeMakingRoom { try $0.purgeExpired(atMost: StoreLimits.expiredPortionOfFullDisk) }
        }
    }
}

extension WriteTransaction {
    /// - Returns: whether that were so many that there may be more.
    fileprivate func purgeExpired(atMost limit: Int) throws -> Bool {
        var left = limit
        for record in try CollectionCatalog.all(db) where record.isDue(at: now) {
            let table = try table(record.id)
            // One at a time: their bodies together may be larger than the memory.
            while left > 0, let document = try table.findExpired(at: now.seconds) {
                try table.purge(document)
                left -= 1
            }
        }
        return left == 0
    }
}

extension [CollectionRecord] {
    /// The earliest of all, in seconds since 1970.
    var nextExpiration: Double? { filter(\.hasPossibleCounters).compactMap(\.nextExpiration).min() }
}

extension CollectionRecord {
    fileprivate func isDue(at time: StoreInstant) -> Bool {
        hasPossibleCounters && nextExpiration.map { $0 <= time.seconds } ?? false
    }
}
