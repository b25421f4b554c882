import DocumentValues

struct DocumentKey: Hashable, Comparable, CustomStringConvertible {
    var collection: Int
    var id: String

    var description: String { "\(id) in \(collection)" }

    static func < (left: Self, right: Self) -> Bool { (left.collection, left.id) < (right.collection, right.id) }
}

/// A model of what a database holds: the current revisions after each commit, as far as a crash may go back to them.
struct Ledger {
    typealias State = [DocumentKey: RevisionID]

    /// After the last commit that a power cut cannot take back, and after each one since; the last one is now.
    private var states: [State]
    /// What a write was about that failed: its commit may lie in the log all the same, until another one overwrites it.
    private var uncertain: Set<DocumentKey> = []

    init(_ state: State = [:]) { states = [state] }

    var current: State { states[states.count - 1] }

    /// Nothing new is no commit: it makes nothing durable.
    mutating func committed(_ state: State, isDurable: Bool) {
        guard state != current else { return }
        uncertain = []
        if isDurable { states = [state] } else { states.append(state) }
    }

    mutating func failed(_ keys: some Sequence<DocumentKey>) { uncertain.formUnion(keys) }

    /// What is wrong with what was found after a crash.
    func problem(_ found: State, after crash: FaultyDisk.Crash) -> String? {
        let allowed =
            switch crash {
            case .process: states.suffix(1)
            case .power: states[...]
            }
        guard !allowed.contains(where: { matches(found, $0) }) else { return nil }
        return "after a crash of \(crash): \(Self.difference(found, from: current))"
    }

    private func matches(_ found: State, _ state: State) -> Bool {
        Set(found.keys).union(state.keys).allSatisfy { found[$0] == state[$0] || uncertain.contains($0) }
    }

    static func difference(_ found: State, from expected: State) -> String {
        Set(found.keys).union(expected.keys).sorted().filter { found[$0] != expected[$0] }.map {
            "\($0) is \(found[$0]?.description ?? "gone") instead of \(expected[$0]?.description ?? "nothing")"
        }.joined(separator: ", ")
    }
}
