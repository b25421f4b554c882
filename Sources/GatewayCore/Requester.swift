import AccessControl
import DocumentValues

/// The requester on whose behalf the gateway works.
package enum Requester: Sendable, Hashable {
    /// The admin port: sees everything, and `require…` in sync functions lets it pass.
    case admin
    /// A user who has signed in.
    case user(Name)
    /// A client of the public port without credentials, if the database allows it.
    case guest

    /// The account of the gateway's work; all administrators share one.
    var account: Name { userName ?? "" }

    /// The name of the principal whose rights count; `nil` for an administrator.
    package var userName: Name? {
        switch self {
        case .admin: nil
        case .user(let name): name
        case .guest: PrincipalName.guest
        }
    }
}
