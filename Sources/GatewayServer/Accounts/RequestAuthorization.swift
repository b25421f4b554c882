import DocumentValues
import GatewayCore

/// The authorization of a request that may take long, or of a connection, by a user or an administrator: it may be revoked in
/// the meantime. So it is checked again when the body has arrived, while the answer is written, and before news are sent.
struct RequestAuthorization: Sendable {
    private let principals: PrincipalService
    private let authorization: Authorization
    /// `nil` for users, for the gateway's own commands, and where administrators need not sign in.
    private let administrator: AdministratorLogin?

    /// Of a user.
    init(_ authorization: Authorization, in database: GatewayDatabase) {
        principals = database.principals
        self.authorization = authorization
        administrator = nil
    }

    init(of administrator: AdministratorLogin?, in database: GatewayDatabase) {
        principals = database.principals
        authorization = principals.authorizationOfAdministrator
        self.administrator = administrator
    }

    /// Whether the request or connection may go on.
    var holds: Bool {
        get async throws {
            guard administrator?.holds ?? true else { return false }
            return try await principals.holds(authorization)
        }
    }

    /// Throws 401 if it may not.
    func check() async throws {
        guard try await holds else { throw GatewayError.signInAgain }
    }

    /// Returns when it is revoked, or when the database is interrupted.
    ///
    /// The authorization of a user ends with a commit. Administrators are in a file that another program writes, so that is
    /// checked once a second.
    func waitForEnd() async throws -> SessionRevocation {
        guard let administrator else { return try await principals.waitForRevocation(of: authorization) }
        return try await withThrowingTaskGroup(of: SessionRevocation.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await principals.waitForRevocation(of: authorization) }
            group.addTask {
                while administrator.holds { try await Task.sleep(for: GatewayServerLimits.administratorLook) }
                return .unwelcome
            }
            return try await group.next() ?? .unwelcome
        }
    }
}

/// The hash with which an administrator signed in: another password, or the removal of the name, ends it.
struct AdministratorLogin: Sendable {
    let administrators: Administrators
    let name: String
    let hash: String

    var holds: Bool { administrators.hash(of: name)?.isExactly(hash) == true }
}
