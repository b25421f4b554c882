import AccessControl
import DocumentValues

/// Reads the channels and roles of users and roles.
struct PrincipalLoader {
    let store: any StoreReader
    let collections: [Int64: CollectionName]

    /// `nil` if there is no such user. A guest without stored settings exists, disabled and without grants.
    func user(_ name: Name) async throws -> UserContext? {
        guard let principal = try await store.principals.find(name) else {
            return name == PrincipalName.guest ? .disabled(name) : nil
        }
        var grants = UserGrants(name: name)
        try await load(principal.key, channels: &grants.channels) { name, span in
            if let end = span.end {
                grants.roleHistory.append(SequenceSpan(start: span.start, end: end), of: name)
            } else {
                grants.roles.grant(name, at: span.start)
            }
        }
        var roles: [Name: RoleGrants] = [:]
        for role in grants.roles.names.union(grants.roleHistory.names) { roles[role] = try await self.role(role) }
        return UserContext(
            grants: grants, roles: roles, sequence: principal.sequence, isDisabled: principal.isDisabled,
            password: principal.password, authorizedSince: principal.authorizedSince,
            sessionGeneration: principal.sessionGeneration)
    }

    /// `nil` for a role that has never existed. A deleted role holds no channels.
    func role(_ name: Name) async throws -> RoleGrants? {
        let key = StoredPrincipal.roleKey(name)
        guard let principal = try await store.principals.find(key) else { return nil }
        var grants = RoleGrants(name: name, isDeleted: principal.isDeleted)
        try await load(key, channels: &grants.channels) { _, _ in }
        return grants
    }

    private func load(
        _ key: Name, channels: inout ChannelGrants, role: (Name, (start: UInt64, end: UInt64?)) -> Void
    ) async throws {
        try await store.grants.forEachHolding(of: key) { item, start, end in
            guard item.kind == .channel else { return role(item.name, (start, end)) }
            guard let collection = collections[item.collection] else { return }
            if let end {
                channels.history[collection, default: GrantHistory()].append(
                    SequenceSpan(start: start, end: end), of: item.name)
            } else {
                channels.held[collection, default: TimedSet()].grant(item.name, at: start)
            }
        }
    }
}
