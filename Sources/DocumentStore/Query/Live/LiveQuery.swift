import Dispatch
import DocumentValues
import Synchronization

/// Runs a query again when a collection that it reads has changed, or its parameters, and hands on the rows where they are
/// others than before.
final class LiveQuery: Sendable {
    private struct State {
        var pace = LivePace.resting(since: nil)
        /// Of the last run; `nil` before the first and where it failed.
        var last: QuerySnapshot?
        /// Removed when it ends: its observation of changes, and what keeps the database open.
        var tokens: [ListenerToken] = []
    }

    private let query: Query
    private let deliver: @Sendable (QueryChange) -> Void
    /// Runs happen here, one after the other.
    private let queue = DispatchQueue(label: "fieldbook.query.live")
    private let state = Mutex(State())

    init(_ query: Query, deliver: @escaping @Sendable (QueryChange) -> Void) {
        self.query = query
        self.deliver = deliver
    }

    /// Runs for the first time, and from then on after commits.
    func start(_ database: Database) throws {
        let activity = try database.register(.queryListener)
        do {
            let observation = try database.changeHub().observe { [self] in changed($0) }
            state.withLock { $0.tokens = [activity, observation] }
        } catch {
            activity.remove()
            throw error
        }
        query.listeners.add(self)
        changed()
    }

    func stop() {
        let tokens = state.withLock { state in
            defer { (state.pace, state.last, state.tokens) = (.ended, nil, []) }
            return state.tokens
        }
        for token in tokens { token.remove() }
    }

    // MARK: Changes

    /// Something else than documents has changed.
    func changed() { act { $0.changed(at: Self.now, interval: StoreLimits.liveQueryInterval) } }

    private func changed(_ collections: Set<CollectionName>) {
        let concerns = state.withLock { $0.last?.collections.isDisjoint(with: collections) != true }
        if concerns { changed() }
    }

    private func act(_ event: (inout LivePace) -> LivePace.Action) {
        switch state.withLock({ event(&$0.pace) }) {
        case .nothing: break
        case .run: queue.async { [self] in run() }
        case .wait(let seconds):
            queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.act { $0.timeCame() } }
        }
    }

    private func run() {
        do {
            let snapshot = try query.snapshot()
            let isNew = state.withLock { state in
                guard state.pace != .ended else { return false }
                defer { state.last = snapshot }
                return state.last?.columns != snapshot.columns || state.last?.rows != snapshot.rows
            }
            if isNew { deliver(QueryChange(query: query, results: snapshot.results, error: nil)) }
        } catch {
            let isEnded = state.withLock { state in
                state.last = nil
                return state.pace == .ended
            }
            if !isEnded { deliver(QueryChange(query: query, results: nil, error: error)) }
        }
        act { $0.ran(at: Self.now, interval: StoreLimits.liveQueryInterval) }
    }

    private static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}

/// The live queries of a query.
final class LiveQueryList: Sendable {
    private struct Entry {
        weak var query: LiveQuery?
    }

    private let entries = Mutex<[Entry]>([])

    func add(_ query: LiveQuery) {
        entries.withLock { entries in
            entries.removeAll { $0.query == nil }
            entries.append(Entry(query: query))
        }
    }

    func changed() {
        for query in entries.withLock({ $0.compactMap(\.query) }) { query.changed() }
    }
}
