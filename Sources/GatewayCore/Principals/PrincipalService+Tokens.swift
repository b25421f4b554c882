import AccessControl
import DocumentValues
import Logging

/// Signing in with a JSON Web Token of an issuer that the configuration names.
extension PrincipalService {
    /// 401 `Invalid login` for every token that does not open an account, whatever the reason.
    package func authenticate(token text: some StringProtocol) async throws -> SignedIn {
        try status.checkOnline()
        let epoch = commits.epoch
        guard let token = SignedToken(text), let issuer = try await issuer(of: token),
            let name = issuer.userName(token.claims).map({ Name($0) }), PrincipalName.problem(with: name.text) == nil,
            name != PrincipalName.guest, PrincipalName.role(ofKey: name) == nil,
            let grants = issuer.grants(token.claims, now: now)
        else { throw GatewayError.invalidLogin }
        let known: StoredPrincipal?
        do {
            known = try await store.read { try await $0.principals.find(name) }
        } catch is DamagedPrincipal {
            throw GatewayError.invalidLogin
        }
        guard known != nil || issuer.registers, known?.isDisabled != true else { throw GatewayError.invalidLogin }
        if !grants.givesTheSame(as: known?.token) {
            try await take(grants, of: name, email: token.claims["email"]?.stringValue, mayMake: issuer.registers)
        }
        guard let user = try await views.knownUser(name), !user.isDisabled else { throw GatewayError.invalidLogin }
        return SignedIn(requester: .user(name), authorization: Authorization(of: user, epoch: epoch))
    }

    private func issuer(of token: SignedToken) async throws -> TokenIssuer? {
        for issuer in setup.configuration.tokenIssuers {
            do {
                if try await issuer.accepts(token, now: now, logger: environment.logger) { return issuer }
            } catch {
                // A signature of the wrong form is reported by an error; the token is wrong either way.
                environment.logger.debug("A token was refused", metadata: ["issuer": "\(issuer.name)"])
            }
        }
        return nil
    }

    /// Makes the user if there is none, without a password, and replaces the grants of the last token by those of this
    /// one.
    func take(_ grants: TokenGrants, of name: Name, email: String?, mayMake: Bool) async throws {
        let names = setup.names
        try await store.write(for: name) { transaction in
            let known = try await transaction.reader.principals.find(name)
            guard known != nil || mayMake else { throw GatewayError.invalidLogin }
            let sequence = try await transaction.nextSequence()
            let holdings = GrantTable(transaction, configured: names)
            var principal = known ?? StoredPrincipal(key: name, sequence: sequence)
            if known == nil { principal.email = email ?? "" }
            var touched = try await holdings.everyItem(of: principal)
            principal.sequence = sequence
            principal.token = grants
            try await transaction.principals.put(principal)
            touched.formUnion(try await holdings.everyItem(of: principal))
            try await holdings.settle(principal, items: touched, at: sequence)
        }
    }
}
