import DocumentValues

/// The authorization of a writing user at the beginning of the write: no document is stored for a user who was shut out
/// before the commit, even if sync functions and other writes took long.
struct WriterAuthorization: Sendable {
    let name: Name
    let authorizedSince: UInt64
    /// The commits of principals with which it was compared.
    let comparedThrough: UInt64

    /// 401 where it has ended, or where the user cannot be read. The row is read only where it may have changed.
    func check(in transaction: any StoreTransaction, after commits: CommitEvents) async throws {
        guard
            commits.mayHaveChanged(principals: [name], after: comparedThrough)
                || transaction.hasChanged(principal: name)
        else { return }
        let principal: StoredPrincipal?
        do {
            principal = try await transaction.reader.principals.find(name)
        } catch is DamagedPrincipal {
            throw GatewayError.signInAgain
        }
        guard let principal, !principal.isDisabled, principal.authorizedSince == authorizedSince else {
            throw GatewayError.signInAgain
        }
    }
}

extension AccessViews {
    /// `nil` for an administrator; 401 for a disabled user.
    func writerAuthorization(of requester: Requester) async throws -> WriterAuthorization? {
        guard let name = requester.userName else { return nil }
        // Read before the user, so that changes in between are checked again.
        let commits = store.commits.principalCommits
        let context = try await context(name)
        guard !context.isDisabled else { throw GatewayError.signInAgain }
        return WriterAuthorization(name: name, authorizedSince: context.authorizedSince, comparedThrough: commits)
    }
}
