/// Rules that are to be evaluated, with the nodes below which they are: which those are is looked up when it comes to them,
/// since a rule of many instances may be marked many times.
struct PendingWork: Sendable {
    private var bases: [Int: Set<Record.ID>] = [:]
    /// A heap of the keys of `bases`, the smallest first.
    private var heap: [Int] = []

    var isEmpty: Bool { heap.isEmpty }

    /// - Parameter base: a node at which, or below which, the rule's own nodes are.
    mutating func add(_ index: Int, under base: Record.ID) {
        if bases[index] == nil { push(index) }
        bases[index, default: []].insert(base)
    }

    /// The smallest number with its nodes.
    mutating func popFirst() -> (index: Int, bases: Set<Record.ID>)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first, bases.removeValue(forKey: first) ?? [])
    }

    /// Nodes that are no longer there.
    mutating func forget(_ removed: [Record.ID]) {
        for index in heap { bases[index]?.subtract(removed) }
    }

    private mutating func push(_ index: Int) {
        heap.append(index)
        var child = heap.count - 1
        while child > 0, heap[(child - 1) / 2] > heap[child] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[smallest] {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
