import DocumentValues

/// The authorization of a user who writes, as it was when the write began: nothing is stored for a user who was shut out before
/// the commit, however long sync functions and the writes of others took.
struct WriterAuthorization: Sendable {
    let name: Name
    let authorizedSince: UInt64
    /// The commits of principals that it has heard of.
    let comparedThrough: UInt64

    /// 401 where it has ended. The row is read only where it may have changed.
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
    /// `nil` for an administrator; 401 for somebody who is disabled.
    func writerAuthorization(of requester: Requester) async throws -> WriterAuthorization? {
        guard let name = requester.userName else { return nil }
        // Before the user is read: what changes in between is looked at again.
        let commits = store.commits.principalCommits
        let context = try await context(name)
        guard !context.isDisabled else { throw GatewayError(401, reason: "Sign in again") }
        return WriterAuthorization(name: name, authorizedSince: context.authorizedSince, comparedThrough: commits)
    }
}
