import AccessControl
import DocumentValues
import SyncFunction

/// A user with its roles: the data that decide on access.
struct UserContext: Sendable {
    let grants: UserGrants
    let roles: [Name: RoleGrants]
    /// The sequence of the user's last change by an administrator; 0 for a guest that was never changed.
    let sequence: UInt64
    let isDisabled: Bool
    /// The hash of the password.
    let password: String?
    /// As in `StoredPrincipal`: by these an authorization is known to have ended.
    let authorizedSince: UInt64
    let sessionGeneration: Int64

    /// A user who may do nothing.
    static func disabled(_ name: Name) -> UserContext {
        UserContext(
            grants: UserGrants(name: name), roles: [:], sequence: 0, isDisabled: true, password: nil,
            authorizedSince: 0,
            sessionGeneration: 0)
    }

    /// Every principal whose change makes this context obsolete.
    var dependencies: Set<Name> {
        var keys = Set(grants.roles.names.union(grants.roleHistory.names).map(StoredPrincipal.roleKey))
        keys.insert(grants.name)
        return keys
    }

    func view(of collection: CollectionName) -> AccessView {
        AccessView(user: grants, collection: collection) { roles[$0] }
    }

    /// As in Sync Gateway a role need not exist to be required.
    func functionUser(_ view: AccessView) -> SyncFunctionUser {
        SyncFunctionUser(name: grants.name, roles: grants.roles.names, channels: view.channels.names)
    }
}
