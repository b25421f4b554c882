import Dispatch
import DocumentValues
import Synchronization

/// Runs a query again when its parameters or a collection that it reads have changed. If indexes find the documents of
/// the query, it runs only when one of these has changed. Reports the rows, or the error, if they differ from the last
/// ones.
final class LiveQuery: Sendable {
    private struct State {
        var pace = LivePace.resting(since: nil)
        var last = Last.none
        /// Removed when it ends: the observation of changes, and the token that keeps the database open.
        var tokens: [ListenerToken] = []
    }

    /// The result of the last run.
    private enum Last {
        case none
        case rows(QuerySnapshot, QueryMark?)
        /// With the error's description.
        case failed(String)

        /// Whether a commit to those collections may change the result.
        func isConcerned(by collections: Set<CollectionName>) -> Bool {
            switch self {
            case .none, .failed: true
            case .rows(let snapshot, _): !snapshot.collections.isDisjoint(with: collections)
            }
        }

        var mark: QueryMark? {
            switch self {
            case .none, .failed: nil
            case .rows(_, let mark): mark
            }
        }

        func isSame(as other: Last) -> Bool {
            switch (self, other) {
            case (.rows(let one, _), .rows(let two, _)): one.columns == two.columns && one.rows == two.rows
            case (.failed(let one), .failed(let two)): one == two
            default: false
            }
        }
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
            let observation = try database.changeHub().add(.sources { [self] in changed($0) })
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
            defer { (state.pace, state.last, state.tokens) = (.ended, .none, []) }
            return state.tokens
        }
        for token in tokens { token.remove() }
    }

    // MARK: Changes

    /// Something else than documents has changed.
    func changed() { act { $0.changed(at: Self.now, interval: StoreLimits.liveQueryInterval) } }

    private func changed(_ collections: Set<CollectionName>) {
        if state.withLock({ $0.last.isConcerned(by: collections) }) { changed() }
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
            // The look at the indexes and the query together have the query's limit.
            let interruption = query.limitOfRun()
            if try !isUnchanged(within: interruption) {
                let (mark, snapshot) = try query.markedSnapshot(within: interruption)
                let change = QueryChange(query: query, results: snapshot.results, error: nil)
                if isNew(.rows(snapshot, mark)) { deliver(change) }
            }
        } catch {
            if isNew(.failed("\(error)")) { deliver(QueryChange(query: query, results: nil, error: error)) }
        }
        act { $0.ran(at: Self.now, interval: StoreLimits.liveQueryInterval) }
    }

    /// Whether indexes say that the documents are those of the last run.
    private func isUnchanged(within interruption: Interruption) throws -> Bool {
        guard let last = state.withLock({ $0.last.mark }), let now = try query.mark(within: interruption) else {
            return false
        }
        return now.isSame(as: last)
    }

    private func isNew(_ outcome: Last) -> Bool {
        state.withLock { state in
            guard state.pace != .ended else { return false }
            defer { state.last = outcome }
            return !state.last.isSame(as: outcome)
        }
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
