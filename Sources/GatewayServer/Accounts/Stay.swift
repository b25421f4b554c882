import DocumentValues
import GatewayCore

/// Who makes a request that may take long: what was right when it began need not be when its body is there, or its answer
/// half written.
struct Stay: Sendable {
    private let principals: PrincipalService
    private let authorization: Authorization

    init(_ authorization: Authorization, in database: GatewayDatabase) {
        principals = database.principals
        self.authorization = authorization
    }

    /// Whether whoever began may go on.
    var holds: Bool { get async throws { try await principals.holds(authorization) } }

    /// 401 where it does not.
    func check() async throws {
        guard try await holds else { throw GatewayError(401, reason: SessionRevocation.unwelcome.reason) }
    }
}
