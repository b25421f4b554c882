import DocumentValues

/// Orders vertices so that each comes behind those that it needs. The checker refuses forms with circles; here those of a
/// circle come in some order.
struct VertexSorting {
    private(set) var order: [Int] = []

    private enum Mark { case new, open, done }

    private var needs: [[Int]] = []
    private var marks: [Mark] = []

    init(vertices: [FormGraph.Vertex], reads: [ExpressionReads], program: FormProgram) {
        var numbers: [FormGraph.Vertex: Int] = [:]
        for (index, vertex) in vertices.enumerated() { numbers[vertex] = index }
        needs = zip(vertices, reads).map { vertex, reads in
            Self.needs(of: vertex, reads: reads, numbers: numbers, program: program)
        }
        marks = Array(repeating: .new, count: vertices.count)
        for index in vertices.indices { visit(index) }
    }

    /// Without those of other instances, which make no circle.
    private static func needs(
        of vertex: FormGraph.Vertex, reads: ExpressionReads, numbers: [FormGraph.Vertex: Int], program: FormProgram
    ) -> [Int] {
        var found: Set<Int> = []
        func need(_ node: FormOutline.ID) {
            if let calculation = numbers[.init(node: node, rule: .calculation)] { found.insert(calculation) }
            for id in program.outline.ancestry(of: node) {
                if let relevant = numbers[.init(node: id, rule: .relevant)] { found.insert(relevant) }
            }
        }
        for read in reads.values where !read.isLateral { need(read.node) }
        for read in reads.subtrees where !read.isLateral {
            for id in read.node..<program.outline[read.node].end where id != vertex.node { need(id) }
        }
        return found.sorted()
    }

    /// Depth first, by a list instead of nested calls.
    private mutating func visit(_ start: Int) {
        guard marks[start] == .new else { return }
        var path = [(vertex: start, next: 0)]
        marks[start] = .open
        while let (vertex, next) = path.last {
            guard next < needs[vertex].count else {
                marks[vertex] = .done
                order.append(vertex)
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            let needed = needs[vertex][next]
            switch marks[needed] {
            case .new:
                marks[needed] = .open
                path.append((needed, 0))
            case .open, .done: break
            }
        }
    }
}
