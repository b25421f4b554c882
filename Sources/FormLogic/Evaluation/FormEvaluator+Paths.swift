import DocumentValues

extension FormEvaluator {
    /// The nodes that a path names, in document order.
    mutating func nodes(_ path: PathExpression, scope: EvaluationScope) -> [NodeReference] {
        var nodes: [NodeReference]
        var holder: Record.ID?
        switch path.start {
        case .record:
            nodes = path.steps.isEmpty ? [] : [.top]
            holder = scope.context.enclosingID
        case .context: nodes = [scope.context]
        // A reference that was not resolved names nothing.
        case .reference: return []
        case .filter(let inner, let predicates):
            guard case .nodes(let found) = evaluate(inner, scope: scope) else { return [] }
            nodes = filtered(found, predicates: predicates[...], scope: scope)
        }
        for (index, step) in path.steps.enumerated() {
            let isLast = index == path.steps.count - 1
            nodes = take(step, from: nodes, holder: isLast ? nil : holder, scope: scope)
            if nodes.isEmpty { return [] }
        }
        return path.steps.isEmpty ? nodes.filter { isRelevant($0) } : nodes
    }

    /// - Parameter holder: the node of the record whose repeats an absolute path keeps to.
    mutating func take(
        _ step: PathStep, from nodes: [NodeReference], holder: Record.ID?, scope: EvaluationScope
    ) -> [NodeReference] {
        var result: [NodeReference] = []
        for node in nodes {
            if let found = lookUp(step, from: node, scope: scope) {
                result += found
                continue
            }
            let found = neighbours(of: node, step: step, holder: step.predicates.isEmpty ? holder : nil)
            guard state.spend(found.count + 1) else { return [] }
            result += filtered(found.filter { isRelevant($0) }, predicates: step.predicates[...], scope: scope)
        }
        return step.axis == .parent && result.count > 1 ? withoutRepetition(result) : result
    }

    private func withoutRepetition(_ nodes: [NodeReference]) -> [NodeReference] {
        var seen: Set<NodeReference> = []
        return nodes.filter { seen.insert($0).inserted }
    }

    // MARK: Predicates

    mutating func filtered(
        _ nodes: [NodeReference], predicates: ArraySlice<FormExpression>, scope: EvaluationScope
    ) -> [NodeReference] {
        var nodes = nodes
        for predicate in predicates {
            var kept: [NodeReference] = []
            for (index, node) in nodes.enumerated() {
                let inner = scope.predicate(on: node, position: index + 1, size: nodes.count)
                if admits(predicate, scope: inner) { kept.append(node) }
            }
            nodes = kept
        }
        return nodes
    }

    /// A number means a position.
    mutating func admits(_ predicate: FormExpression, scope: EvaluationScope) -> Bool {
        let result = evaluate(predicate, scope: scope)
        if case .value(.number(let number)) = result { return number == Double(scope.position ?? 1) }
        return boolean(result)
    }

    /// The rows of a table by an index: for `item[column = value]`, where the value is the same for all rows. `nil` for
    /// another step, and where there is no index.
    private mutating func lookUp(
        _ step: PathStep, from node: NodeReference, scope: EvaluationScope
    ) -> [NodeReference]? {
        guard case .instance(let number) = node.document, node.node == TableInstance.root,
            case .table(let table) = instances[number], step.axis == .child, step.test == .name("item"),
            table.rowCount > 0, let predicate = step.predicates.first, let lookUp = TableLookup(predicate)
        else { return nil }
        let item = NodeReference(node.document, node: table.item(row: 0))
        let inner = scope.predicate(on: item, position: 1, size: table.rowCount)
        let value = single(evaluate(lookUp.value, scope: inner), in: "operator")
        guard let rows = table.rows(column: lookUp.column, equalTo: value, conversions: conversions),
            state.spend(rows.count + 1)
        else { return nil }
        let found = rows.map { NodeReference(node.document, node: table.item(row: $0)) }
        return filtered(found, predicates: step.predicates.dropFirst(), scope: scope)
    }
}
