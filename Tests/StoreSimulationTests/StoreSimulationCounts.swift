/// How often something happened.
struct StoreSimulationCounts {
    var crashes = 0
    var cuts = 0
    /// Writes and syncs that failed.
    var faults = 0
    /// Sessions that came to their end.
    var sessions = 0
    var pushed = 0
    var pulled = 0
    var resolved = 0
    /// Documents to which access was lost.
    var purged = 0

    private static var all: [WritableKeyPath<Self, Int>] {
        [
            \.crashes, \.cuts, \.faults, \.sessions, \.pushed, \.pulled, \.resolved, \.purged,
        ]
    }

    static func += (left: inout Self, right: Self) {
        for path in all { left[keyPath: path] += right[keyPath: path] }
    }

    /// Nothing of it is left out, else a simulation would show less than it says.
    var isComplete: Bool { Self.all.allSatisfy { self[keyPath: $0] > 0 } }
}
