import DocumentValues
import GatewayCore

extension GatewayContext {
    /// The account of a signed-in user, or of an address: guests have no name, and administrators have no checked name
    /// if they need not sign in.
    func account(of requester: Requester, in database: GatewayDatabase, _ request: GatewayRequest) -> Name {
        switch requester {
        case .admin where configuration.adminAuthentication:
            Name("administrator/\(administrators.actor(of: request))")
        case .user(let name): Name("user/\(database.name)/\(name.text)")
        case .admin, .guest: request.account
        }
    }
}
