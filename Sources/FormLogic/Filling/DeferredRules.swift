/// Rules that wait until all answers of a script are given. A sum over a repeat would otherwise be evaluated for each answer in
/// it, each time over all instances: work that grows with the square of their number.
///
/// A rule waits only if nothing can be seen of it: if neither a filter of choices nor a count, a default, a trigger or a
/// read-only rule reads its result, also by way of other rules, and if it gives the same whenever it is evaluated.
struct DeferredRules: Sendable {
    /// Those that wait, by their numbers in the order of the graph.
    private let rules: Set<Int>
    private(set) var waiting = PendingWork()

    init(graph: FormGraph, program: FormProgram) {
        let atOnce = [graph.filters, graph.counts, Self.othersAtOnce(program)]
        /// The rules that a rule reads.
        var sources: [Int: [Int]] = [:]
        var needed: [Int] = []
        for (index, vertex) in graph.order.enumerated() {
            for reader in graph.vertices.all(of: vertex, in: program.outline) {
                sources[reader.index, default: []].append(index)
            }
            let isRead = atOnce.contains { !$0.all(of: vertex, in: program.outline).isEmpty }
            if isRead || !Self.isSteady(vertex, in: program) { needed.append(index) }
        }
        var rules = Set(graph.order.indices).subtracting(needed)
        while let index = needed.popLast() {
            for source in sources[index] ?? [] where rules.remove(source) != nil { needed.append(source) }
        }
        self.rules = rules
    }

    /// The rules that are evaluated while answers are given, beside filters and counts.
    private static func othersAtOnce(_ program: FormProgram) -> FormGraph.Readers {
        var readers = FormGraph.Readers()
        for (id, entry) in program.outline.entries.enumerated() {
            let rules = program.rules[id]
            let triggered = entry.node.trigger.isEmpty ? nil : rules.calculation
            for rule in [rules.readOnly, rules.dynamicDefault, triggered].compactMap(\.self) {
                readers.add(ExpressionReads(rule, owner: id, program: program), index: id, program: program)
            }
        }
        return readers
    }

    /// Whether its result depends on nothing but the answers.
    private static func isSteady(_ vertex: FormGraph.Vertex, in program: FormProgram) -> Bool {
        let rules = program.rules[vertex.node]
        let rule: FormExpression? =
            switch vertex.rule {
            case .relevant: rules.relevant
            case .calculation: rules.calculation
            }
        var isSteady = true
        rule?.forEach { part in
            guard case .call(let call) = part else { return }
            switch call.function {
            case .once, .random, .uuid, .randomize: isSteady = false
            default: break
            }
        }
        return isSteady
    }

    // MARK: Waiting

    /// - Returns: whether the rule waits.
    mutating func take(_ index: Int, under bases: Set<Int>) -> Bool {
        guard rules.contains(index) else { return false }
        for base in bases { waiting.add(index, under: base) }
        return true
    }

    mutating func forget(_ removed: [Int]) { waiting.forget(removed) }
}

extension FormGraph.Readers {
    /// Who reads the result of a rule.
    fileprivate func all(of vertex: FormGraph.Vertex, in outline: FormOutline) -> Set<FormGraph.Reader> {
        switch vertex.rule {
        case .relevant: relevances[vertex.node] ?? []
        case .calculation:
            outline.ancestry(of: vertex.node).reduce(into: values[vertex.node] ?? []) { readers, id in
                readers.formUnion(subtrees[id] ?? [])
            }
        }
    }
}
