/// Rules that are to be evaluated, with the nodes for which they are.
struct PendingWork: Sendable {
    private var nodes: [Int: Set<Record.ID>] = [:]
    /// A heap of the keys of `nodes`, the smallest first.
    private var heap: [Int] = []

    var isEmpty: Bool { heap.isEmpty }

    mutating func add(_ index: Int, nodes added: some Sequence<Record.ID>) {
        if nodes[index] == nil {
            nodes[index] = []
            push(index)
        }
        nodes[index]?.formUnion(added)
    }

    /// The smallest number with its nodes.
    mutating func popFirst() -> (index: Int, nodes: Set<Record.ID>)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first, nodes.removeValue(forKey: first) ?? [])
    }

    /// Nodes that are no longer there.
    mutating func forget(_ removed: [Record.ID]) {
        for index in heap { nodes[index]?.subtract(removed) }
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
