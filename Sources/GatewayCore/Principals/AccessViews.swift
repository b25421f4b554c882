import AccessControl
import DocumentValues
import SyncFunction

/// The views of readers, made from the channels of users and roles.
struct AccessViews: Sendable {
    let status: DatabaseStatus
    let store: any GatewayStore
    let contexts: UserContextCache

    /// The view of a reader in a collection, and the sequence at which an administrator last changed the user.
    func view(
        of requester: Requester, in collection: CollectionName
    ) async throws -> (view: AccessView, userSequence: UInt64?) {
        guard let name = requester.userName else { return (.all, nil) }
        let context = try await context(name)
        let view = contexts.view(of: name, in: collection) ?? context.view(of: collection)
        return (view, context.sequence)
    }

    /// Every principal whose change may change the reader's view.
    func principals(behind requester: Requester) async throws -> Set<Name> {
        guard let name = requester.userName else { return [] }
        return try await context(name).dependencies
    }

    /// 401 for a user who cannot be read: as a user without channels, the user's laptops would lose their documents.
    func context(_ name: Name) async throws -> UserContext {
        do {
            guard let context = try await stored(name) else { throw GatewayError.deletedUser }
            return context
        } catch is DamagedPrincipal {
            throw GatewayError.signInAgain
        }
    }

    /// `nil` if there is no such user. A user who cannot be read is disabled, and read again each time.
    func knownUser(_ name: Name) async throws -> UserContext? {
        do { return try await stored(name) } catch is DamagedPrincipal { return .disabled(name) }
    }

    private func stored(_ name: Name) async throws -> UserContext? {
        if let context = contexts.context(name) { return context }
        let moment = contexts.moment
        let names = status.setup.names
        let loaded = try await store.read { try await PrincipalLoader(store: $0, collections: names).user(name) }
        if let loaded { contexts.insert(loaded, readAt: moment) }
        return loaded
    }

    /// For the sync function; `nil` for an administrator.
    func syncFunctionUser(
        _ requester: Requester, in collection: CollectionName
    ) async throws -> SyncFunctionUser? {
        guard let name = requester.userName else { return nil }
        let context = try await context(name)
        return contexts.functionUser(of: name, in: collection) ?? context.functionUser(context.view(of: collection))
    }
}
