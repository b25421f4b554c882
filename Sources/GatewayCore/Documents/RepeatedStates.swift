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

    /// Whether no document is named more than once.
    var areNone: Bool { ids.isEmpty }

    /// Hands out documents as they are in the store, with their indexes among the ids; read from there unless they are known.
    /// In any order, and one at a time.
    func forEach(
        of wanted: [String], in collection: Int64, from store: any StoreReader,
        _ body: (Int, DocumentState?) throws -> Void
    ) async throws {
        let known = known(among: wanted)
        guard !known.isEmpty else {
            return try await store.documents.forEachState(of: wanted, in: collection) { index, present in
                remember(present, of: wanted[index])
                try body(index, present)
            }
        }
        let sequences = try await store.documents.sequences(of: known.map { wanted[$0.index] }, in: collection)
        let current = Self.current(known, sequences: sequences)
        for (index, state) in current { try body(index, state) }
        let others = wanted.indices.filter { current[$0] == nil }
        guard !others.isEmpty else { return }
        try await store.documents.forEachState(of: others.map { wanted[$0] }, in: collection) { offset, present in
            remember(present, of: wanted[others[offset]])
            try body(others[offset], present)
        }
    }

    /// The same of a few documents, where they can be read in place; `nil` where they cannot.
    func states(
        of wanted: [String], in collection: Int64, from inPlace: any InPlaceReader
    ) throws -> [DocumentState?]? {
        let known = known(among: wanted)
        let sequences = known.isEmpty ? [] : try inPlace.sequences(of: known.map { wanted[$0.index] }, in: collection)
        let current = Self.current(known, sequences: sequences)
        let others = wanted.indices.filter { current[$0] == nil }
        var states = wanted.indices.map { current[$0] }
        guard !others.isEmpty else { return states }
        let limit = GatewayLimits.bytesReadInPlace
        switch try inPlace.states(of: others.map { wanted[$0] }, in: collection, upTo: limit) {
        case .tooLarge: return nil
        case .found(let found):
            for (index, present) in zip(others, found) {
                remember(present, of: wanted[index])
                states[index] = present
            }
            return states
        }
    }

    private typealias Known = (index: Int, state: DocumentState)

    private func known(among wanted: [String]) -> [Known] {
        guard !ids.isEmpty else { return [] }
        return state.withLock { state in
            wanted.enumerated().compactMap { index, id in state.states[Name(id)].map { (index: index, state: $0) } }
        }
    }

    /// Those that are as they were: each change of a document has a sequence of its own.
    private static func current(_ known: [Known], sequences: [UInt64?]) -> [Int: DocumentState] {
        Dictionary(
            uniqueKeysWithValues: zip(known, sequences).compactMap { known, sequence -> (Int, DocumentState)? in
                sequence == known.state.stored.sequence ? (known.index, known.state) : nil
            })
    }

    private func remember(_ present: DocumentState?, of id: String) {
        let name = Name(id)
        guard !ids.isEmpty, ids.contains(name) else { return }
        state.withLock { state in
            if let known = state.states.removeValue(forKey: name) { state.room += known.weight }
            guard let present, present.weight <= state.room else { return }
            state.room -= present.weight
            state.states[name] = present
        }
    }
}

extension DocumentState {
    /// Approximate bytes in memory.
    fileprivate var weight: Int {
        let grants = stored.grants.channels.values.reduce(stored.grants.roles.count) { $0 + $1.count }
        let channels = stored.channels.current.count + stored.channels.past.count + grants
        return branches.reduce(
            stored.body.count + (stored.attachments?.weight ?? 0)
                + GatewayLimits.memoryOfRevisionID * stored.tree.nodes.count + GatewayLimits.memoryOfChannel * channels
        ) {
            $0 + $1.body.count + ($1.attachments?.weight ?? 0) + GatewayLimits.memoryOfChannel * $1.channels.count
        }
    }
}
