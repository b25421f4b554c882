import DocumentValues
import GatewayCore
import HTTPTypes
import SodiumCrypto

extension Administrators {
    /// Throws 401 unless the request's credentials are an administrator's, or none are asked for.
    func check(_ request: GatewayRequest, gateway: GatewayContext) async throws {
        let isAsked =
            switch request.port {
            case .publicAPI: false
            case .admin: gateway.configuration.adminAuthentication
            case .metrics: gateway.configuration.metricsAuthentication
            }
        guard isAsked, !isLocal(request) else { return }
        guard let (name, password) = Login.basicCredentials(request.header(.authorization)) else {
            throw Refusal(.loginRequired, headers: [.wwwAuthenticate: GatewayIdentity.realm])
        }
        let key = LoginThrottle.Key(database: nil, name: Name(name), address: request.client)
        try await gateway.attempt(key, by: .password) {
            let isRight = try await credentials.verify(
                name: name, password: password, hash: hash(of: name, gateway.logger), from: request.client)
            guard isRight else {
                throw Refusal(.invalidLogin, headers: [.wwwAuthenticate: GatewayIdentity.realm])
            }
        }
    }

    /// Whom a request that was let in is from; of one that was refused, whom it claims to be from.
    func actor(of request: GatewayRequest) -> String {
        if isLocal(request) { return "(local command)" }
        return Login.basicCredentials(request.header(.authorization))?.name ?? "(nobody)"
    }

    private func isLocal(_ request: GatewayRequest) -> Bool {
        guard let header = request.header(.authorization), header.hasExactPrefix("Bearer ") else { return false }
        return constantTimeEqual(Array(header.utf8.dropFirst(7)), and: localToken)
    }
}
