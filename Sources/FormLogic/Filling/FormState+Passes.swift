import DocumentValues

extension FormState {
    /// Begins with what `begin` does, and evaluates until nothing is left to do.
    mutating func pass(_ begin: (inout FormState) -> Void) -> [FormChange] {
        changes = []
        evaluations = 0
        begin(&self)
        settle()
        defer { changes = [] }
        return changes
    }

    /// First calculations and relevance, then triggers, then counts of repeats, then choices that are no longer offered;
    /// each may bring back those before it.
    private mutating func settle() {
        while evaluations < FormLimits.evaluations {
            if let (index, bases) = vertices.popFirst() {
                if !isDeferred(index, under: bases) { evaluate(graph.order[index], under: bases) }
            } else if let (node, depth) = fired.first {
                fired.removeFirst()
                fireTriggers(of: node, depth: depth)
            } else if let (formNode, bases) = repeats.popFirst() {
                count(formNode, parents: owners(of: formNode, isWhole: true, under: bases))
            } else if let (formNode, bases) = filters.popFirst() {
                dropChoices(of: formNode, nodes: owners(of: formNode, isWhole: false, under: bases))
            } else {
                return
            }
        }
        vertices = PendingWork()
        filters = PendingWork()
        repeats = PendingWork()
        fired = []
        keep([Report(.limit, in: "evaluations")], of: .calculation, at: Record.root)
    }

    /// - Parameter under: only rules of nodes below this one.
    mutating func markEverything(under ancestor: Record.ID = Record.root) {
        let top = record[ancestor].formNode
        for (index, vertex) in graph.order.enumerated() where outline.isInside(vertex.node, of: top) {
            // A repeat as a whole belongs to the node that has it.
            if vertex.node != top || !isWhole(vertex) { vertices.add(index, under: ancestor) }
        }
        for id in top..<outline[top].end {
            if id != top, program.rules[id].repeatCount != nil { repeats.add(id, under: ancestor) }
            guard case .select(_, let source) = outline[id].type else { continue }
            let isOfAnswers = if case .answers = source { true } else { false }
            if isOfAnswers || program.rules[id].choiceFilter != nil {
                filters.add(id, under: ancestor)
            }
        }
    }

    /// Whether a rule is one of a repeat as a whole, evaluated once in each node that has the repeat.
    private func isWhole(_ vertex: FormGraph.Vertex) -> Bool { outline[vertex.node].isRepeat }

    /// The nodes for which a rule is evaluated.
    private func owners(of formNode: FormOutline.ID, isWhole: Bool, under ancestor: Record.ID) -> [Record.ID] {
        guard isWhole else { return record.nodes(of: formNode, under: ancestor) }
        guard let parent = outline[formNode].parent, outline.isInside(parent, of: record[ancestor].formNode) else {
            return []
        }
        return record.nodes(of: parent, under: ancestor)
    }

    /// In document order: an instance may read the one before it.
    private func owners(
        of formNode: FormOutline.ID, isWhole: Bool, under bases: Set<Record.ID>
    ) -> [Record.ID] {
        let base = bases.contains(Record.root) ? Record.root : bases.count == 1 ? bases.first : nil
        if let base { return owners(of: formNode, isWhole: isWhole, under: base) }
        let nodes = Set(bases.flatMap { owners(of: formNode, isWhole: isWhole, under: $0) })
        guard nodes.count > 1 else { return Array(nodes) }
        return owners(of: formNode, isWhole: isWhole, under: Record.root).filter { nodes.contains($0) }
    }

    // MARK: Readers

    /// Marks the rules that read a node, or any node around it.
    mutating func markReaders(ofValue node: Record.ID) {
        let formNode = record[node].formNode
        mark(\.values, of: formNode, at: node)
        for id in outline.ancestry(of: formNode) { mark(\.subtrees, of: id, at: node) }
    }

    /// - Parameter parent: the node that has the repeat.
    mutating func markReaders(ofInstances formNode: FormOutline.ID, in parent: Record.ID) {
        mark(\.structures, of: formNode, at: parent)
        // Answers came or went with the instance. Rules that read only their own instance see nothing of it.
        for id in formNode..<outline[formNode].end {
            mark(\.values, of: id, at: parent, exceptInside: formNode)
            mark(\.subtrees, of: id, at: parent, exceptInside: formNode)
        }
        for id in outline.ancestry(of: formNode) { mark(\.subtrees, of: id, at: parent) }
    }

    mutating func markReaders(ofRelevance formNode: FormOutline.ID, at node: Record.ID) {
        mark(\.relevances, of: formNode, at: node)
    }

    /// - Parameter changed: a repeat; readers that keep to their own instance of it, or of one in it, are left out.
    private mutating func mark(
        _ part: KeyPath<FormGraph.Readers, [FormOutline.ID: Set<FormGraph.Reader>]>, of formNode: FormOutline.ID,
        at node: Record.ID, exceptInside changed: FormOutline.ID? = nil
    ) {
        func sees(_ reader: FormGraph.Reader) -> Bool {
            guard let changed, let common = reader.common else { return true }
            return !outline.isInside(common, of: changed)
        }
        for reader in graph.vertices[keyPath: part][formNode] ?? [] where sees(reader) {
            vertices.add(reader.index, under: base(of: reader, at: node))
        }
        for reader in graph.filters[keyPath: part][formNode] ?? [] where sees(reader) {
            filters.add(reader.index, under: base(of: reader, at: node))
        }
        for reader in graph.counts[keyPath: part][formNode] ?? [] where sees(reader) {
            repeats.add(reader.index, under: base(of: reader, at: node))
        }
    }

    /// Below which node the reader's own nodes are that see the change.
    private func base(of reader: FormGraph.Reader, at node: Record.ID) -> Record.ID {
        reader.common.flatMap { record.ancestor(of: node, formNode: $0) } ?? Record.root
    }

    // MARK: Evaluation

    private mutating func evaluate(_ vertex: FormGraph.Vertex, under bases: Set<Record.ID>) {
        for node in owners(of: vertex.node, isWhole: isWhole(vertex), under: bases) {
            evaluations += 1
            guard evaluations <= FormLimits.evaluations else { return }
            switch vertex.rule {
            case .relevant: evaluateRelevance(of: vertex.node, at: node)
            case .calculation: calculate(vertex.node, at: node)
            }
        }
    }

    /// A rule that reports is true: nothing vanishes through a defect.
    private mutating func evaluateRelevance(of formNode: FormOutline.ID, at node: Record.ID) {
        guard let rule = program.rules[formNode].relevant else { return }
        let isWhole = outline[formNode].isRepeat
        let result = evaluator.boolean(of: rule, at: isWhole ? .missingChild(of: node) : .record(node))
        keep(result.reports, of: .relevant, at: node)
        let isShown = result.value || !result.reports.isEmpty
        if isWhole {
            let key = RepeatKey(parent: node, formNode: formNode)
            guard isShown == hiddenRepeats.contains(key) else { return }
            if isShown { hiddenRepeats.remove(key) } else { hiddenRepeats.insert(key) }
            for instance in record.children(of: node, formNode: formNode) { updateRelevance(from: instance) }
        } else {
            guard isShown == hidden.contains(node) else { return }
            if isShown { hidden.remove(node) } else { hidden.insert(node) }
            updateRelevance(from: node)
        }
        markReaders(ofRelevance: formNode, at: node)
    }

    /// The nodes around a node decide as well, down to those that are hidden by themselves.
    mutating func updateRelevance(from first: Record.ID) {
        var open = [first]
        while let node = open.popLast() {
            let parent = record[node].parent
            let isInShownRepeat =
                parent.map { !hiddenRepeats.contains(RepeatKey(parent: $0, formNode: record[node].formNode)) } ?? true
            let isRelevant =
                (parent.map { record[$0].isRelevant } ?? true) && isInShownRepeat && !hidden.contains(node)
            guard record[node].isRelevant != isRelevant else { continue }
            evaluator.record.setRelevant(isRelevant, of: node)
            changes.append(.relevance(node: node, isRelevant: isRelevant))
            open += record.children(of: node)
        }
    }

    private mutating func calculate(_ formNode: FormOutline.ID, at node: Record.ID) {
        guard let rule = program.rules[formNode].calculation else { return }
        store(rule, of: .calculation, at: node, cause: .calculation, depth: nil)
    }

    /// Stores the value of an expression.
    ///
    /// - Parameter depth: of an answer that may fire triggers; `nil` for one that does not.
    mutating func store(
        _ rule: FormExpression, of kind: FormProgram.Rule, at node: Record.ID, cause: FormChange.Cause, depth: Int?
    ) {
        guard let type = outline[record[node].formNode].type else { return }
        let (value, reports) = evaluator.value(of: rule, at: .record(node))
        let (answer, problem) = AnswerStoring(evaluator.state.conversions).answer(value, for: type)
        keep(reports + (problem.map { [Report($0, in: "stored")] } ?? []), of: kind, at: node)
        store(answer, at: node, cause: cause, depth: depth)
    }

    /// - Parameter depth: of an answer that may fire triggers; `nil` for one that does not.
    mutating func store(_ answer: Answer?, at node: Record.ID, cause: FormChange.Cause, depth: Int?) {
        let old = record.answer(of: node)
        guard old != answer else { return }
        evaluator.record.setAnswer(answer, of: node)
        changes.append(.answer(node: node, old: old, new: answer, cause: cause))
        markReaders(ofValue: node)
        guard let depth, graph.triggered[record[node].formNode] != nil else { return }
        fired.append((node, depth))
    }

    // MARK: Triggers

    private mutating func fireTriggers(of node: Record.ID, depth: Int) {
        guard depth < FormLimits.triggerDepth else {
            return keep([Report(.limit, in: "trigger")], of: .calculation, at: node)
        }
        let formNode = record[node].formNode
        for target in graph.triggered[formNode] ?? [] {
            // In the same instance of the innermost repeat around both.
            let common = outline.ancestry(of: target).last {
                outline[$0].isRepeat && outline.isInside(formNode, of: $0)
            }
            let base = common.flatMap { record.ancestor(of: node, formNode: $0) } ?? Record.root
            for found in record.nodes(of: target, under: base) {
                evaluations += 1
                if let rule = program.rules[target].calculation {
                    store(rule, of: .calculation, at: found, cause: .trigger, depth: depth + 1)
                } else {
                    store(nil, at: found, cause: .trigger, depth: depth + 1)
                }
                runVertices()
            }
        }
    }

    /// The rules that depend on a triggered question run before the next trigger.
    private mutating func runVertices() {
        while evaluations < FormLimits.evaluations, let (index, bases) = vertices.popFirst() {
            if !isDeferred(index, under: bases) { evaluate(graph.order[index], under: bases) }
        }
    }

    // MARK: Choices

    /// Takes back stored choices that the filter no longer admits. A filter that reports admits all.
    private mutating func dropChoices(of formNode: FormOutline.ID, nodes: [Record.ID]) {
        for node in nodes where record[node].isRelevant {
            evaluations += 1
            switch record.answer(of: node) {
            case .text(let name):
                if !isOffered(Name(name), at: node) { store(nil, at: node, cause: .filter, depth: nil) }
            case .names(let names):
                let kept = names.filter { isOffered($0, at: node) }
                guard kept.count < names.count else { continue }
                store(kept.isEmpty ? nil : .names(kept), at: node, cause: .filter, depth: nil)
            default: continue
            }
        }
    }

    private mutating func isOffered(_ name: Name, at node: Record.ID) -> Bool {
        let choice = evaluator.choice(name, of: record[node].formNode, at: .record(node))
        let reports = evaluator.state.takeReports()
        keep(reports, of: .choiceFilter, at: node)
        return choice != nil || !reports.isEmpty
    }
}
