import AccessControl
import DocumentValues
import SyncFunction
import Synchronization

/// Users as they were read last, as long as nothing that they depend on has changed. It follows the commits by itself: a
/// user whom somebody asks for is compared with what has changed since.
final class UserContextCache: Sendable {
    private struct Entry {
        let number: UInt64
        let context: UserContext
        let dependencies: Set<Name>
        /// The commits of principals with which it was compared.
        var comparedThrough: UInt64
        var views: [CollectionName: AccessView] = [:]
        var functionUsers: [CollectionName: SyncFunctionUser] = [:]
    }

    private struct State {
        var entries: [Name: Entry] = [:]
        var lastNumber: UInt64 = 0
        /// Counts configurations: a context holds for the collections of one.
        var configuration: UInt64 = 0
    }

    /// When a user is read.
    struct Moment {
        fileprivate let commits: UInt64
        fileprivate let configuration: UInt64
    }

    private let state = Mutex(State())
    private let commits: CommitEvents

    init(following commits: CommitEvents) { self.commits = commits }

    /// To be asked for before a user is read.
    var moment: Moment {
        Moment(commits: commits.principalCommits, configuration: state.withLock { $0.configuration })
    }

    func context(_ name: Name) -> UserContext? { entry(name)?.context }

    /// Remembers a user.
    ///
    /// - Parameter moment: before it was read.
    func insert(_ context: UserContext, readAt moment: Moment) {
        state.withLock { state in
            guard state.configuration == moment.configuration else { return }
            if state.entries.count >= GatewayLimits.viewCache { state.entries.removeAll() }
            state.lastNumber += 1
            state.entries[context.grants.name] = Entry(
                number: state.lastNumber, context: context, dependencies: context.dependencies,
                comparedThrough: moment.commits)
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

    /// Made outside of the lock, since somebody may hold tens of thousands of channels, and remembered with the user that it
    /// was made of.
    private func derived<Value: Sendable>(
        of name: Name, at path: WritableKeyPath<Entry, Value?>, make: (Entry) -> Value
    ) -> Value? {
        guard let known = entry(name) else { return nil }
        if let value = known[keyPath: path] { return value }
        let value = make(known)
        state.withLock { state in
            guard state.entries[name]?.number == known.number else { return }
            state.entries[name]?[keyPath: path] = value
        }
        return value
    }

    /// `nil` also where something that the user depends on may have changed since it was read.
    private func entry(_ name: Name) -> Entry? {
        let through = commits.principalCommits
        return state.withLock { state in
            guard let entry = state.entries[name] else { return nil }
            guard entry.comparedThrough < through else { return entry }
            guard !commits.mayHaveChanged(principals: entry.dependencies, after: entry.comparedThrough) else {
                state.entries[name] = nil
                return nil
            }
            state.entries[name]?.comparedThrough = through
            return entry
        }
    }

    /// Another configuration is in force.
    func removeAll() {
        state.withLock { state in
            state.configuration += 1
            state.entries.removeAll()
        }
    }
}
