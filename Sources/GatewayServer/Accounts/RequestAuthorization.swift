import DocumentValues
import GatewayCore

/// The authorization of a request that may take long, or of a connection, by a user or an administrator: what was allowed when
/// it began need not be when its body is there, its answer half written, or when there is something new to be sent.
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

    /// 401 where it does not.
    func check() async throws {
        guard try await holds else { throw GatewayError(401, reason: SessionRevocation.unwelcome.reason) }
    }

    /// Returns when it is revoked, or when the database is interrupted.
    ///
    /// That of a user ends with a commit. Administrators are in a file that another program writes, which is looked at once a
    /// second.
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

/// With what an administrator signed in: another password, or none any more, ends it.
struct AdministratorLogin: Sendable {
    let administrators: Administrators
    let name: String
    let hash: String

    var holds: Bool { administrators.hash(of: name)?.isExactly(hash) == true }
}
