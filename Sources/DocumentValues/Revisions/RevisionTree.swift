/// A document's revisions and how they descend from each other.
///
/// It is almost always a line. Side branches come from a document that was deleted and made again by a client that knew
/// nothing of the old one, and from conflicts where these are allowed.
package struct RevisionTree: Sendable, Hashable {
    package struct Node: Sendable, Hashable {
        package let revision: RevisionID
        /// Index of the parent in `nodes`; -1 for a root.
        var parent: Int
        package let isDeleted: Bool

        /// 0 for a revision whose id is not that of a tree.
        fileprivate var generation: UInt32 { revision.treeRevision?.generation ?? 0 }
    }

    /// Parents come before their children.
    package private(set) var nodes: [Node] = []

    package init() {}

    package func contains(_ revision: RevisionID) -> Bool { index(of: revision) != nil }

    package func isDeleted(_ revision: RevisionID) -> Bool { index(of: revision).map { nodes[$0].isDeleted } ?? false }

    private func index(of revision: RevisionID) -> Int? { nodes.lastIndex { $0.revision == revision } }

    /// Whether every node is the child of the one before, as it nearly always is.
    package var isLine: Bool { nodes.indices.allSatisfy { nodes[$0].parent == $0 - 1 } }

    /// Revisions without children.
    package var leaves: [Node] {
        if isLine { return Array(nodes.suffix(1)) }
        let parents = Set(nodes.map(\.parent))
        return nodes.indices.filter { !parents.contains($0) }.map { nodes[$0] }
    }

    /// The current revision: of the leaves, a live one before a deleted one, then the higher generation, then the
    /// higher digest.
    package var winner: Node? {
        leaves.max { left, right in
            if left.isDeleted != right.isDeleted { return left.isDeleted }
            return right.revision.wins(over: left.revision)
        }
    }

    package func isLeaf(_ revision: RevisionID) -> Bool { leaves.contains { $0.revision == revision } }

    package func isLiveLeaf(_ revision: RevisionID) -> Bool {
        leaves.contains { $0.revision == revision && !$0.isDeleted }
    }

    /// The revision's ancestors, newest first.
    package func history(of revision: RevisionID) -> RevisionHistory {
        var ancestors: [RevisionID] = []
        var parent = index(of: revision).map { nodes[$0].parent } ?? -1
        while parent >= 0 {
            ancestors.append(nodes[parent].revision)
            parent = nodes[parent].parent
        }
        return RevisionHistory(ancestors)
    }

    package func ancestry(of revision: RevisionID) -> Ancestry {
        Ancestry(revision: revision, history: history(of: revision))
    }

    /// The newest of a pushed revision's ancestors that is known here.
    package func commonAncestor(with history: RevisionHistory) -> RevisionID? {
        firstKnown(of: history.ancestors).map { history.ancestors[$0.index] }
    }

    /// The newest of some ancestors that is known here: its index among them, and its node.
    private func firstKnown(of ancestors: [RevisionID]) -> (index: Int, node: Int)? {
        guard !nodes.isEmpty, let parent = ancestors.first else { return nil }
        // Nearly always it is the parent itself; otherwise the tree is not walked again for each of them.
        if let node = index(of: parent) { return (0, node) }
        let indices = Dictionary(nodes.indices.map { (nodes[$0].revision, $0) }, uniquingKeysWith: { $1 })
        for (index, ancestor) in ancestors.enumerated().dropFirst() {
            if let node = indices[ancestor] { return (index, node) }
        }
        return nil
    }

    /// Adds a revision with those of its ancestors that are unknown, then forgets revisions deeper than the limit.
    package mutating func insert(
        _ revision: RevisionID, history: RevisionHistory, isDeleted: Bool, limit: Int
    ) {
        guard !contains(revision) else { return }
        let known = firstKnown(of: history.ancestors)
        // One more than the tree keeps: the branch's origin is then forgotten, just as if all revisions in between had
        // been inserted.
        let unknown = history.ancestors.prefix(min(known?.index ?? .max, max(limit, 1)))
        var parent = known?.node ?? -1
        for ancestor in unknown.reversed() {
            nodes.append(Node(revision: ancestor, parent: parent, isDeleted: false))
            parent = nodes.count - 1
        }
        nodes.append(Node(revision: revision, parent: parent, isDeleted: isDeleted))
        if nodes.count > limit { prune(limit: limit) }
    }

    /// Keeps the `limit` newest revisions of every leaf. A deleted branch is removed when the live ones are ahead of it
    /// by more than that.
    private mutating func prune(limit: Int) {
        let parents = Set(nodes.map(\.parent))
        let leaves = nodes.indices.filter { !parents.contains($0) }
        let shortest = leaves.filter { !nodes[$0].isDeleted }.map { Int(nodes[$0].generation) }.min()
        var kept = Set<Int>()
        for leaf in leaves {
            if let shortest, nodes[leaf].isDeleted, Int(nodes[leaf].generation) < shortest - limit { continue }
            var index = leaf
            var depth = 0
            while index >= 0, depth < limit {
                kept.insert(index)
                index = nodes[index].parent
                depth += 1
            }
        }
        var newIndices = [-1: -1]
        var remaining: [Node] = []
        for index in nodes.indices where kept.contains(index) {
            newIndices[index] = remaining.count
            var node = nodes[index]
            node.parent = newIndices[node.parent] ?? -1
            remaining.append(node)
        }
        nodes = remaining
    }
}

extension RevisionTree {
    /// Reads the stored form: one item for each node, `revision` or `revision/parent`, with `!` behind a deleted one.
    /// An item without a parent is a child of the node before it. `nil` for any other text.
    package init?(text: String) {
        // A document that was never edited.
        if !text.utf8.contains(where: { $0 == 0x20 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "!") }),
            let revision = RevisionID(text)
        {
            nodes = [Node(revision: revision, parent: -1, isDeleted: false)]
            return
        }
        for item in text.split(separator: " ") {
            var item = item
            let isDeleted = item.last == "!"
            if isDeleted { item.removeLast() }
            let parts = item.split(separator: "/")
            guard let first = parts.first, let revision = RevisionID(first),
                let parent = parts.count > 1 ? Int(parts[1]) : nodes.count - 1, parent < nodes.count
            else { return nil }
            nodes.append(Node(revision: revision, parent: parent, isDeleted: isDeleted))
        }
    }

    package var text: String {
        if nodes.count == 1, nodes[0].parent == -1, !nodes[0].isDeleted { return nodes[0].revision.description }
        return nodes.enumerated().map { index, node in
            let parent = node.parent == index - 1 ? "" : "/\(node.parent)"
            return "\(node.revision)\(parent)\(node.isDeleted ? "!" : "")"
        }.joined(separator: " ")
    }
}

extension RevisionTree {
    /// Leaves from which the sender of `missing` may descend: the possible ancestors of `_revs_diff`. A leaf that is
    /// itself in the request is left out.
    ///
    /// A request may name a hundred thousand revisions of a document with hundreds of leaves: do not go through one list
    /// for each entry of the other.
    package func possibleAncestors(of missing: [String], asked: [String]) -> [RevisionID] {
        guard !nodes.isEmpty else { return [] }
        let generations = Set(missing.compactMap { TreeRevision($0)?.generation }).filter { $0 > 1 }.sorted()
        guard !generations.isEmpty else { return [] }
        let asked = Set(asked.compactMap { RevisionID($0) })
        var possible: Set<RevisionID> = []
        for leaf in leaves where !asked.contains(leaf.revision) {
            var index = generations.firstIndex(atLeast: leaf.generation)
            if index < generations.count, generations[index] == leaf.generation {
                // A sibling: their common parent.
                if leaf.parent >= 0 { possible.insert(nodes[leaf.parent].revision) }
                index += 1
            }
            if index < generations.count, generations[index] - leaf.generation <= 100 {
                possible.insert(leaf.revision)
            }
        }
        return possible.winnersFirst.reversed()
    }

    /// The requested revisions that are not here, malformed ones included.
    package func missing(of asked: [String]) -> [String] {
        guard asked.count > 1 else { return asked.filter { RevisionID($0).map { !contains($0) } ?? true } }
        let known = Set(nodes.map(\.revision))
        return asked.filter { RevisionID($0).map { !known.contains($0) } ?? true }
    }
}

extension [UInt32] {
    /// The index of the first of these ascending numbers that is not below `least`; `count` if there is none.
    fileprivate func firstIndex(atLeast least: UInt32) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < least { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
