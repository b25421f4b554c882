import DocumentValues

/// Users and roles.
protocol PrincipalRows {
    /// - Parameter key: a user's name, or a role's with `role:` before it.
    func find(_ key: Name) async throws -> StoredPrincipal?

    /// The names, in the order of their bytes; those of roles without their prefix.
    func names(roles: Bool, includingDeleted: Bool) async throws -> [Name]
}

/// Writes users and roles.
protocol PrincipalWrites {
    /// Inserts or replaces it.
    func put(_ principal: StoredPrincipal) async throws

    /// Erases the principal with all items that it holds or held. The grants of documents to it stay: they count again when
    /// it is made again.
    func erase(_ key: Name) async throws
}
