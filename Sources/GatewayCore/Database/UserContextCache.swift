import AccessControl
import DocumentValues
import SyncFunction
import Synchronization

/// Users as they were read last, until something that they depend on changes.
final class UserContextCache: Sendable {
    private struct Entry {
        let context: UserContext
        let dependencies: Set<Name>
        var views: [CollectionName: AccessView] = [:]
        var functionUsers: [CollectionName: SyncFunctionUser] = [:]
    }

    private struct State {
        var entries: [Name: Entry] = [:]
        /// Counts invalidations: what was read before one may be obsolete.
        var epoch: UInt64 = 0
    }

    private let state = Mutex(State())

    var epoch: UInt64 { state.withLock { $0.epoch } }

    func context(_ name: Name) -> UserContext? { state.withLock { $0.entries[name]?.context } }

    /// Remembers a user that was read after `epoch` was asked for, unless something changed since.
    func insert(_ context: UserContext, readAfter epoch: UInt64) {
        state.withLock { state in
            guard state.epoch == epoch else { return }
            if state.entries.count >= GatewayLimits.viewCache { state.entries.removeAll() }
            state.entries[context.grants.name] = Entry(context: context, dependencies: context.dependencies)
        }
    }

    /// What a remembered user sees; computed once for each collection.
    func view(of name: Name, in collection: CollectionName) -> AccessView? {
        derived(of: name, at: \.views[collection]) { $0.context.view(of: collection) }
    }

    /// The same for a sync function.
    func functionUser(of name: Name, in collection: CollectionName) -> SyncFunctionUser? {
        derived(of: name, at: \.functionUsers[collection]) { entry in
            entry.context.functionUser(entry.views[collection] ?? entry.context.view(of: collection))
        }
    }

    /// Made outside of the lock, since somebody may hold tens of thousands of channels, and remembered unless something
    /// changed meanwhile.
    private func derived<Value: Sendable>(
        of name: Name, at path: WritableKeyPath<Entry, Value?>, make: (Entry) -> Value
    ) -> Value? {
        let (known, epoch) = state.withLock { ($0.entries[name], $0.epoch) }
        guard let known else { return nil }
        if let value = known[keyPath: path] { return value }
        let value = make(known)
        state.withLock { state in
            guard state.epoch == epoch else { return }
            state.entries[name]?[keyPath: path] = value
        }
        return value
    }

    /// Users and roles (`role:…`) that changed.
    func invalidate(_ principals: Set<Name>) {
        guard !principals.isEmpty else { return }
        state.withLock { state in
            state.epoch += 1
            let hasRoles = principals.contains { PrincipalName.role(ofKey: $0) != nil }
            guard hasRoles else {
                for name in principals { state.entries[name] = nil }
                return
            }
            state.entries = state.entries.filter { $0.value.dependencies.isDisjoint(with: principals) }
        }
    }

    func removeAll() {
        state.withLock { state in
            state.epoch += 1
            state.entries.removeAll()
        }
    }
}
