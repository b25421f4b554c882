import AccessControl
import DocumentValues

/// On whose behalf the gateway does something.
package enum Requester: Sendable, Hashable {
    /// The admin port: sees everything, and `require…` in sync functions lets it pass.
    case admin
    /// Somebody who signed in.
    case user(Name)
    /// The public port without credentials, where the database allows it.
    case guest

    /// On whose account it goes what the gateway does; all administrators are one.
    var account: Name { userName ?? "" }

    /// The name of the principal that decides; `nil` for an administrator.
    package var userName: Name? {
        switch self {
        case .admin: nil
        case .user(let name): name
        case .guest: PrincipalName.guest
        }
    }
}
