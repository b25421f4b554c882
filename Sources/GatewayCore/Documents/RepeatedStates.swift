import AccessControl
import DocumentValues
import Synchronization

/// The last read state of documents that a request names more than once. Each row is decided by the result of the one
/// before, and reading a document with thousands of attachments, channels and revisions takes long.
final class RepeatedStates: Sendable {
    private struct State {
        var states: [Name: DocumentState] = [:]
        var room = GatewayLimits.repeatedDocuments
    }

    private let ids: Set<Name>
    private let state = Mutex(State())

    /// - Parameter ids: the ids that are named more than once.
    init(_ ids: Set<Name>) { self.ids = ids }

    /// The state in the store; read from there unless it is known.
    func state(of id: String, in collection: Int64, from store: StoreReader) throws -> DocumentState? {
        let name = Name(id)
        guard ids.contains(name) else { return try read(id, in: collection, from: store) }
        let known = state.withLock { $0.states[name] }
        // Each change of a document has a sequence of its own.
        if let known, try store.documents.sequence(of: id, in: collection) == known.stored.sequence { return known }
        let present = try read(id, in: collection, from: store)
        state.withLock { state in
            if let known { state.room += known.weight }
            state.states[name] = nil
            guard let present, present.weight <= state.room else { return }
            state.room -= present.weight
            state.states[name] = present
        }
        return present
    }

    /// Whether it is likely to be known.
    func contains(_ id: String) -> Bool { state.withLock { $0.states[Name(id)] != nil } }

    private func read(_ id: String, in collection: Int64, from store: StoreReader) throws -> DocumentState? {
        try store.documents.find(id, in: collection).map { try store.state(of: $0) }
    }
}

extension DocumentState {
    /// Approximate bytes in memory.
    fileprivate var weight: Int {
        let grants = stored.grants.channels.values.reduce(stored.grants.roles.count) { $0 + $1.count }
        return branches.reduce(
            stored.body.count + (stored.attachments?.weight ?? 0) + 64 * stored.tree.nodes.count
                + 128 * (stored.channels.current.count + stored.channels.past.count + grants)
        ) { $0 + $1.body.count + ($1.attachments?.weight ?? 0) + 128 * $1.channels.count }
    }
}
