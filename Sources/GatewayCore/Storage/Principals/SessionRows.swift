import DocumentValues

/// Sessions, by a keyed hash of their ids.
protocol SessionRows {
    /// `nil` if there is none; also one that has expired is found.
    func find(_ key: [UInt8]) async throws -> Session?
}

/// Writes sessions.
protocol SessionWrites {
    /// Inserts or replaces it.
    func put(_ session: Session) async throws

    func delete(_ key: [UInt8]) async throws

    func deleteAll(of user: Name) async throws

    /// Deletes the sessions that were made or renewed longest ago.
    ///
    /// - Returns: whether there were more than are left.
    func deleteOldest(of user: Name, leaving count: Int) async throws -> Bool

    /// - Parameter time: seconds since 1970.
    func deleteExpired(by time: Int64) async throws
}
