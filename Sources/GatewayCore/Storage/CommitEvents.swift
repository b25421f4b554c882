import DocumentValues
import Synchronization

/// The changes of a store's commits, in their order, for waiting feeds and for caches. Each of them reads on from its own
/// position; the store calls none of them.
///
/// A waiter is an entry in a list: it needs no thread, and it does not poll. For recently changed channels, the
/// sequence of the last change is known, so that a feed that wakes up reads only the lists that have new rows.
final class CommitEvents: Sendable {
    /// Something that can change.
    enum Topic: Sendable, Hashable {
        case channel(ChannelKey)
        /// Any of a collection's channels, for feeds that follow many.
        case anyChannel(of: Int64)
        /// A user or (`role:…`) a role.
        case principal(Name)
        case anyPrincipal
    }

    private struct Waiter {
        let topics: [Topic]
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var lastSequence: UInt64 = 0
        /// Counts all commits, also those without a new sequence.
        var count: UInt64 = 0
        /// The sequence of the last change of each recently changed topic.
        var changes: [Topic: UInt64] = [:]
        /// All other topics may have changed up to this sequence: before the gateway started, or so long ago that the
        /// change is forgotten.
        var floor: UInt64 = 0
        var waiting: [Topic: Set<UInt64>] = [:]
        var waiters: [UInt64: Waiter] = [:]
        /// Waiters that were cancelled before they began to wait.
        var cancelled: Set<UInt64> = []
        var lastWaiter: UInt64 = 0
        /// Counts interruptions: a request that began before one must not go on.
        var epoch: UInt64 = 0
        /// Commits so far that changed a principal.
        var principalCommits: UInt64 = 0
        /// For each principal, the number of the last commit that changed it.
        var principals: [Name: UInt64] = [:]
        /// All other principals may have changed up to this commit.
        var principalFloor: UInt64 = 0

        func lastChange(of topic: Topic) -> UInt64 { changes[topic] ?? floor }

        /// Writers choose the names of channels, so there may be any number of them. If there are too many, the older
        /// half is forgotten.
        mutating func forgetOldChanges() {
            guard changes.count > GatewayLimits.rememberedTopics else { return }
            let (newer, middle) = Self.newerHalf(of: changes)
            (changes, floor) = (newer, max(floor, middle))
        }

        mutating func remember(_ names: Set<Name>) {
            principalCommits += 1
            for name in names { principals[name] = principalCommits }
            guard principals.count > GatewayLimits.rememberedTopics else { return }
            (principals, principalFloor) = Self.newerHalf(of: principals)
        }

        /// - Returns: the remaining changes, and the number up to which changes were forgotten.
        private static func newerHalf<Key: Hashable>(of changes: [Key: UInt64]) -> ([Key: UInt64], UInt64) {
            let numbers = changes.values.sorted()
            let middle = numbers[numbers.count / 2]
            return (changes.filter { $0.value > middle }, middle)
        }

        mutating func remove(_ id: UInt64) -> Waiter? {
            guard let waiter = waiters.removeValue(forKey: id) else { return nil }
            for topic in waiter.topics {
                waiting[topic]?.remove(id)
                if waiting[topic]?.isEmpty == true { waiting[topic] = nil }
            }
            return waiter
        }
    }

    private let state = Mutex(State())

    /// - Parameter sequence: the last that is stored already.
    init(after sequence: UInt64) {
        state.withLock { state in
            state.floor = sequence
            state.lastSequence = sequence
        }
    }

    var lastSequence: UInt64 { state.withLock { $0.lastSequence } }

    var epoch: UInt64 { state.withLock { $0.epoch } }

    /// The number of commits so far: as long as it stays the same, rows that were read are still the newest.
    var count: UInt64 { state.withLock { $0.count } }

    /// Whether a topic may have changed after `sequence`.
    func mayHaveChanged(_ topic: Topic, after sequence: UInt64) -> Bool {
        state.withLock { $0.lastChange(of: topic) } > sequence
    }

    /// How many commits have changed a principal: the position of a cache that knows all of them.
    var principalCommits: UInt64 { state.withLock { $0.principalCommits } }

    /// Whether one of these users and roles (`role:…`) may have changed after the first `count` of those commits.
    func mayHaveChanged(principals names: Set<Name>, after count: UInt64) -> Bool {
        state.withLock { state in
            names.contains { (state.principals[$0] ?? state.principalFloor) > count }
        }
    }

    /// Announces a commit and wakes its waiters. The store calls it before it answers the writes.
    func append(_ effects: CommitEffects) {
        let woken = state.withLock { state -> [Waiter] in
            state.count += 1
            if !effects.principals.isEmpty { state.remember(effects.principals) }
            state.lastSequence = max(state.lastSequence, effects.lastSequence)
            var ids: Set<UInt64> = []
            func note(_ topic: Topic, at sequence: UInt64) {
                state.changes[topic] = sequence
                if let waiting = state.waiting[topic] { ids.formUnion(waiting) }
            }
            for (key, sequence) in effects.channels { note(.channel(key), at: sequence) }
            for collection in Set(effects.channels.keys.map(\.collection)) {
                note(.anyChannel(of: collection), at: effects.lastSequence)
            }
            for name in effects.principals { note(.principal(name), at: effects.lastSequence) }
            if !effects.principals.isEmpty { note(.anyPrincipal, at: effects.lastSequence) }
            state.forgetOldChanges()
            return ids.compactMap { state.remove($0) }
        }
        for waiter in woken { waiter.continuation.resume() }
    }

    /// Returns when one of the topics has changed after `sequence`.
    ///
    /// Throws when the database is interrupted, or if it was since `epoch`, and `CancellationError` on cancellation.
    func wait(for topics: [Topic], after sequence: UInt64, epoch: UInt64) async throws {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if state.epoch != epoch { return .failure(GatewayError.underMaintenance) }
                    let hasNews = topics.contains { state.lastChange(of: $0) > sequence }
                    if hasNews { return .success(()) }
                    state.waiters[id] = Waiter(topics: topics, continuation: continuation)
                    for topic in topics { state.waiting[topic, default: []].insert(id) }
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                if let waiter = state.remove(id) { return waiter }
                state.cancelled.insert(id)
                return nil
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Ends every wait: the database goes offline, is deleted or gets another configuration.
    func interrupt() {
        let woken = state.withLock { state -> [Waiter] in
            state.epoch += 1
            defer { state.waiting.removeAll() }
            defer { state.waiters.removeAll() }
            return Array(state.waiters.values)
        }
        for waiter in woken { waiter.continuation.resume(throwing: GatewayError.underMaintenance) }
    }
}
