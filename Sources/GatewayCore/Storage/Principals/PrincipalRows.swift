import DocumentValues

/// Users and roles.
protocol PrincipalRows {
    /// - Parameter key: a user's name, or a role's with `role:` before it.
    func find(_ key: Name) async throws -> StoredPrincipal?

    /// The names, sorted; those of roles without their prefix.
    func names(roles: Bool, includingDeleted: Bool) async throws -> [Name]
}

/// Writes users and roles.
protocol PrincipalWrites {
    func put(_ principal: StoredPrincipal) async throws

    /// Erases the principal with all items that it holds or held.
    func erase(_ key: Name) async throws
}
