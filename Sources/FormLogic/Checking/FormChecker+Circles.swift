import DocumentValues

/// Questions that need each other.
extension FormChecker {
    mutating func checkCircles(_ graph: DependencyGraph) {
        for use in graph.ownUses {
            add(
                .ownValue, at: use.part,
                message: "\(use.owner): it uses the answer of the question itself.",
                hint: "Only 'constraint' may, with '.' for the answer.")
        }
        let edges = graph.edges.map { $0.map(\.target) }
        for group in CircleSearch.groups(edges) {
            guard let circle = CircleSearch.circle(within: group, edges: edges) else { continue }
            report(circle, graph: graph)
        }
    }

    private mutating func report(_ circle: [FormOutline.ID], graph: DependencyGraph) {
        let names = circle.map { "'\(outline[$0].node.name.text)'" }
        let next = circle[1 % circle.count]
        let part = graph.edges[circle[0]].first { $0.target == next }?.part ?? part(circle[0])
        let chain = names.dropFirst().enumerated().map { index, name in (index == 0 ? "" : "which needs ") + name }
        let lines = Set(circle.map { positions[self.part($0)].line }).sorted()
        let unit = positions[self.part(circle[0])].unit
        add(
            .circle, at: part,
            message: "\(names[0]) needs \((chain + ["which needs \(names[0])"]).joined(separator: ", ")): a circle.",
            hint: unit.map { $0.naming(lines) + "." })
    }
}

/// Circles in a graph whose nodes are the indices of `edges`.
enum CircleSearch {
    /// Groups of nodes each of which needs, by some way, each other one of its group; only groups of several nodes, each in
    /// ascending order.
    ///
    /// Tarjan's algorithm, by a list instead of nested calls: a chain of five thousand questions is no deep call.
    static func groups(_ edges: [[Int]]) -> [[Int]] {
        var search = GroupSearch(edges: edges)
        for node in edges.indices { search.visit(node) }
        return search.groups.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }

    /// A shortest circle through the first node of a group.
    static func circle(within group: [Int], edges: [[Int]]) -> [Int]? {
        guard let start = group.first else { return nil }
        let members = Set(group)
        var before: [Int: Int] = [:]
        var queue = [start]
        var index = 0
        while index < queue.count {
            let node = queue[index]
            index += 1
            for target in edges[node] where members.contains(target) {
                if target == start { return way(to: node, from: start, before: before) }
                guard before[target] == nil else { continue }
                before[target] = node
                queue.append(target)
            }
        }
        return nil
    }

    private static func way(to end: Int, from start: Int, before: [Int: Int]) -> [Int] {
        var nodes = [end]
        while let last = nodes.last, last != start, let node = before[last] { nodes.append(node) }
        return nodes.reversed()
    }
}

private struct GroupSearch {
    private struct Visit {
        let node: Int
        var nextEdge = 0
    }

    private let edges: [[Int]]
    private var number: [Int?]
    private var lowest: [Int]
    private var isOpen: [Bool]
    private var open: [Int] = []
    private var count = 0
    private(set) var groups: [[Int]] = []

    init(edges: [[Int]]) {
        self.edges = edges
        number = Array(repeating: nil, count: edges.count)
        lowest = Array(repeating: 0, count: edges.count)
        isOpen = Array(repeating: false, count: edges.count)
    }

    mutating func visit(_ root: Int) {
        guard number[root] == nil else { return }
        var visits = [Visit(node: root)]
        enter(root)
        while let visit = visits.last {
            let node = visit.node
            guard visit.nextEdge < edges[node].count else {
                visits.removeLast()
                if let parent = visits.last?.node { lowest[parent] = min(lowest[parent], lowest[node]) }
                close(node)
                continue
            }
            visits[visits.count - 1].nextEdge += 1
            let target = edges[node][visit.nextEdge]
            if let other = number[target] {
                if isOpen[target] { lowest[node] = min(lowest[node], other) }
            } else {
                enter(target)
                visits.append(Visit(node: target))
            }
        }
    }

    private mutating func enter(_ node: Int) {
        number[node] = count
        lowest[node] = count
        count += 1
        open.append(node)
        isOpen[node] = true
    }

    private mutating func close(_ node: Int) {
        guard lowest[node] == number[node] else { return }
        var group: [Int] = []
        while let last = open.popLast() {
            isOpen[last] = false
            group.append(last)
            if last == node { break }
        }
        if group.count > 1 { groups.append(group) }
    }
}
