import DocumentValues

/// A database's users and roles: their administration, sign-in and sessions.
package final class PrincipalService: DatabaseService {
    let status: DatabaseStatus
    let environment: DatabaseEnvironment
    let store: any GatewayStore
    let views: AccessViews
    let commits: CommitEvents
    let credentials: PasswordChecker
    /// The key under which session ids are hashed.
    let sessionKey: [UInt8]
    let signIns: SignInRecord

    init(_ parts: DatabaseParts, views: AccessViews, environment: DatabaseEnvironment) {
        status = parts.status
        self.environment = environment
        store = parts.store
        self.views = views
        commits = parts.store.commits
        credentials = PasswordChecker(strength: environment.passwordStrength)
        sessionKey = parts.sessionKey
        signIns = parts.signIns
    }

    /// Notes a sign-in with a session or a sync connection.
    package func noteSignIn(of user: String, agent: String) {
        signIns.note(LastSignIn(user: user, time: now, agent: agent))
    }
}
