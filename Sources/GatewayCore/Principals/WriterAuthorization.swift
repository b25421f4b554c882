import DocumentValues

/// The authorization of a writing user at the beginning of the write: no document is stored for a user who was shut out
/// before the commit, even if sync functions and other writes took long.
struct WriterAuthorization: Sendable {
    let name: Name
    let authorizedSince: UInt64
    /// The commits of principals with which it was compared.
    let comparedThrough: UInt64

    /// Throws 401 if it has ended. The row is only read if it may have changed.
    func check(in transaction: WriteTransaction, after commits: CommitEvents) throws {
        guard
            commits.mayHaveChanged(principals: [name], after: comparedThrough)
                || transaction.committed.principals.contains(name)
        else { return }
        let principal = try transaction.reader.principals.find(name)
        guard let principal, !principal.isDisabled, principal.authorizedSince == authorizedSince else {
            throw GatewayError(401, reason: "Sign in again")
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
        guard !context.isDisabled else { throw GatewayError(401, reason: "Sign in again") }
        return WriterAuthorization(name: name, authorizedSince: context.authorizedSince, comparedThrough: commits)
    }
}
