import AccessControl
import DocumentValues
import SyncFunction
import Synchronization

/// Users as they were read last, until something changes on which they depend. When a user is requested, the cache
/// compares the commits since then with the user's dependencies.
final class UserContextCache: Sendable {
    private struct Entry {
        let number: UInt64
        let context: UserContext
        let dependencies: Set<Name>
        /// The commits of principals with which it was compared.
        var comparedThrough: UInt64
        var views: [CollectionName: AccessView] = [:]
        var functionUsers: [CollectionName: SyncFunctionUser] = [:]

        /// The number of channels in it, which determines its memory.
        var channels: Int {
            let granted = context.grants.channels.held.values.reduce(0) { $0 + $1.since.count }
            let seen = views.values.reduce(granted) { $0 + $1.channels.since.count }
            return functionUsers.values.reduce(seen) { $0 + $1.channels.count }
        }
    }

    private struct State {
        private(set) var entries: [Name: Entry] = [:]
        private var channels = 0
        var lastNumber: UInt64 = 0
        /// Counts configurations: a context is valid for the collections of one.
        var configuration: UInt64 = 0

        mutating func set(_ entry: Entry?, for name: Name) {
            let growth = (entry?.channels ?? 0) - (entries[name]?.channels ?? 0)
            let isFull =
                entries.count >= GatewayLimits.viewCache || channels + growth > GatewayLimits.channelsOfViewCache
            if isFull, entry != nil {
                removeAll()
                channels = entry?.channels ?? 0
            } else {
                channels += growth
            }
            entries[name] = entry
        }

        mutating func noteComparison(of name: Name, through commits: UInt64) {
            entries[name]?.comparedThrough = commits
        }

        mutating func removeAll() {
            entries.removeAll()
            channels = 0
        }
    }

    /// The moment at which a user is read.
    struct Moment {
        fileprivate let commits: UInt64
        fileprivate let configuration: UInt64
    }

    private let state = Mutex(State())
    private let commits: CommitEvents

    init(following commits: CommitEvents) { self.commits = commits }

    /// Call it before a user is read.
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
            state.lastNumber += 1
            let entry = Entry(
                number: state.lastNumber, context: context, dependencies: context.dependencies,
                comparedThrough: moment.commits)
            state.set(entry, for: context.grants.name)
        }
    }

    /// The view of a remembered user; computed once for each collection.
    func view(of name: Name, in collection: CollectionName) -> AccessView? {
        derived(of: name, known: { $0.views[collection] }, keep: { $0.views[collection] = $1 }) { entry in
            entry.context.view(of: collection)
        }
    }

    /// The same for a sync function.
    func functionUser(of name: Name, in collection: CollectionName) -> SyncFunctionUser? {
        derived(
            of: name, known: { $0.functionUsers[collection] }, keep: { $0.functionUsers[collection] = $1 }
        ) { entry in
            entry.context.functionUser(entry.views[collection] ?? entry.context.view(of: collection))
        }
    }

    /// Made outside of the lock, since a user may hold tens of thousands of channels, and remembered with the user from whom
    /// it was made. Closures instead of a key path: that of a dictionary's value is made again for each call, which takes
    /// longer than all the rest of a request's look at the cache.
    private func derived<Value: Sendable>(
        of name: Name, known value: (Entry) -> Value?, keep: (inout Entry, Value) -> Void, make: (Entry) -> Value
    ) -> Value? {
        guard let known = entry(name) else { return nil }
        if let value = value(known) { return value }
        let value = make(known)
        state.withLock { state in
            guard var present = state.entries[name], present.number == known.number else { return }
            keep(&present, value)
            state.set(present, for: name)
        }
        return value
    }

    /// `nil` also if something on which the user depends may have changed since it was read.
    private func entry(_ name: Name) -> Entry? {
        let through = commits.principalCommits
        return state.withLock { state in
            guard let entry = state.entries[name] else { return nil }
            guard entry.comparedThrough < through else { return entry }
            guard !commits.mayHaveChanged(principals: entry.dependencies, after: entry.comparedThrough) else {
                state.set(nil, for: name)
                return nil
            }
            state.noteComparison(of: name, through: through)
            return entry
        }
    }

    /// Called when another configuration is in force.
    func removeAll() {
        state.withLock { state in
            state.configuration += 1
            state.removeAll()
        }
    }
}
