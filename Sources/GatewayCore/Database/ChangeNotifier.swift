import DocumentValues
import Synchronization

/// Who waits for what: an entry for each waiting feed, no thread and no polling.
///
/// It also knows, for the channels that changed lately, the last sequence at which their lists changed, so that a feed that
/// wakes reads only lists with something new.
final class ChangeNotifier: Sendable {
    /// Something that can change.
    enum Topic: Sendable, Hashable {
        case channel(ChannelKey)
        /// Any of a collection's channels, for those who watch many.
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
        /// Of the last change of each topic that changed lately.
        var changes: [Topic: UInt64] = [:]
        /// All others may have changed until then: before the gateway started, or so long ago that it is forgotten.
        var floor: UInt64 = 0
        var waiting: [Topic: Set<UInt64>] = [:]
        var waiters: [UInt64: Waiter] = [:]
        /// Waiters that were cancelled before they began to wait.
        var cancelled: Set<UInt64> = []
        var lastWaiter: UInt64 = 0
        /// Counts interruptions: who began before one must not go on.
        var epoch: UInt64 = 0

        func lastChange(of topic: Topic) -> UInt64 { changes[topic] ?? floor }

        /// Writers choose the names of channels, so there may be any number: of too many the older half is forgotten.
        mutating func forgetOldChanges() {
            guard changes.count > GatewayLimits.rememberedTopics else { return }
            let sequences = changes.values.sorted()
            let middle = sequences[sequences.count / 2]
            floor = max(floor, middle)
            changes = changes.filter { $0.value > middle }
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

    /// What is stored already; once, before anything is published.
    func begin(at sequence: UInt64) {
        state.withLock { state in
            state.floor = sequence
            state.lastSequence = sequence
        }
    }

    var lastSequence: UInt64 { state.withLock { $0.lastSequence } }

    var epoch: UInt64 { state.withLock { $0.epoch } }

    var rememberedTopics: Int { state.withLock { $0.changes.count } }

    /// Whether a topic may have changed after `sequence`.
    func mayHaveChanged(_ topic: Topic, after sequence: UInt64) -> Bool {
        state.withLock { $0.lastChange(of: topic) } > sequence
    }

    /// Makes a commit known and wakes those who wait for it.
    func publish(_ effects: CommitEffects) {
        let woken = state.withLock { state -> [Waiter] in
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
    /// Throws when the database is interrupted, or was since `epoch`, and `CancellationError` on cancellation.
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
