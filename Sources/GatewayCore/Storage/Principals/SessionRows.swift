import DocumentValues

/// Sessions, by a keyed hash of their ids, which is unique. The user need not be stored, and a session may be void for another
/// reason: who may use one is decided outside.
protocol SessionRows {
    /// `nil` if there is none; also one that has expired is found.
    func find(_ key: [UInt8]) async throws -> Session?
}

/// Writes sessions.
protocol SessionWrites {
    /// Inserts or replaces it.
    func put(_ session: Session) async throws

    /// Does nothing if there is none.
    func delete(_ key: [UInt8]) async throws

    /// Deletes the sessions of a user, which there may be none of.
    func deleteAll(of user: Name) async throws

    /// Deletes the sessions of a user that were made or renewed longest ago, which is `expires - lifetime`; of those of the
    /// same second any.
    ///
    /// - Returns: whether there were more than are left.
    func deleteOldest(of user: Name, leaving count: Int) async throws -> Bool

    /// Deletes the sessions of all users that expire at this time or before.
    ///
    /// - Parameter time: seconds since 1970.
    func deleteExpired(by time: Int64) async throws
}
