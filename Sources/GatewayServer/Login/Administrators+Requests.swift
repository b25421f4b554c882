import DocumentValues
import GatewayCore
import HTTPTypes
import SodiumCrypto

extension Administrators {
    /// Throws 401 unless the request's credentials are an administrator's, or none are needed.
    ///
    /// - Returns: `nil` for the gateway's own commands, and if none are needed.
    @discardableResult
    func check(_ request: GatewayRequest, gateway: GatewayContext) async throws -> AdministratorLogin? {
        let isAsked =
            switch request.port {
            case .publicAPI: false
            case .admin: gateway.configuration.adminAuthentication
            case .metrics: gateway.configuration.metricsAuthentication
            }
        guard isAsked, !isLocal(request) else { return nil }
        guard let (name, password) = Login.basicCredentials(request.header(.authorization)) else {
            throw Refusal(.loginRequired, headers: [.wwwAuthenticate: GatewayIdentity.realm])
        }
        let key = LoginThrottle.Key(database: nil, name: Name(name), address: request.client)
        return try await gateway.attempt(key, by: .password) {
            let hash = hash(of: name)
            let isRight = try await credentials.verify(
                name: name, password: password, hash: hash, from: request.client)
            guard isRight, let hash else {
                throw Refusal(.invalidLogin, headers: [.wwwAuthenticate: GatewayIdentity.realm])
            }
            return AdministratorLogin(administrators: self, name: name, hash: hash)
        }
    }

    /// The name of the requester; for a refused request, the name that it claims.
    func actor(of request: GatewayRequest) -> String {
        if isLocal(request) { return "(local command)" }
        return Login.basicCredentials(request.header(.authorization))?.name ?? "(nobody)"
    }

    private func isLocal(_ request: GatewayRequest) -> Bool {
        guard let header = request.header(.authorization), header.hasExactPrefix("Bearer ") else { return false }
        return constantTimeEqual(Array(header.utf8.dropFirst(7)), and: localToken)
    }
}
