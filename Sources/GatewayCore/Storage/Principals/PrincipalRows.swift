import DocumentValues

/// A user or a role whose stored state cannot be read. Such a user counts as disabled, and so does a user with such a role: the
/// state says whether an administrator has disabled the user, and what the user may see.
struct DamagedPrincipal: Error, CustomStringConvertible {
    /// As in `PrincipalRows.find`.
    let key: Name

    var description: String { "the stored state of '\(key)' cannot be read" }
}

/// Users and roles, those that are marked as deleted included. A key is unique, by its bytes.
protocol PrincipalRows {
    /// `nil` if there is none. Throws `DamagedPrincipal` where its content cannot be read.
    ///
    /// - Parameter key: a user's name, or a role's with `role:` before it.
    func find(_ key: Name) async throws -> StoredPrincipal?

    /// The names, in the order of their bytes; those of roles without their prefix.
    func names(roles: Bool, includingDeleted: Bool) async throws -> [Name]
}

/// Writes users and roles.
protocol PrincipalWrites {
    /// Inserts or replaces it, by its key. The items that it holds stay, and so do its sessions. It notifies of no change:
    /// `StoreTransaction.noteChange(ofPrincipal:)` does.
    func put(_ principal: StoredPrincipal) async throws

    /// Erases the principal, which may not be there, with all items that it holds or held. Its sessions stay. The grants of
    /// documents to it stay: they count again when it is made again.
    func erase(_ key: Name) async throws
}
