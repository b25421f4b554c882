import DocumentValues

/// A choice that a question offers now.
package struct OfferedChoice: Sendable {
    package let name: Name
    /// `nil`: the name.
    package let label: String?

    package init(name: Name, label: String? = nil) {
        self.name = name
        self.label = label
    }
}

extension FormEvaluator {
    /// The choices of a select, as far as its filter admits them, in the order in which they are shown.
    ///
    /// - Parameters:
    ///   - question: a select or a rank.
    ///   - node: the question's own node.
    package mutating func choices(of question: FormOutline.ID, at node: NodeReference) -> [OfferedChoice] {
        state.refill()
        return ordered(choices(of: question, at: node, named: nil), of: question, at: node)
    }

    private mutating func ordered(
        _ offered: [OfferedChoice], of question: FormOutline.ID, at node: NodeReference
    ) -> [OfferedChoice] {
        switch program.rules[question].order {
        case nil: return offered
        case .seeded(let rule)?:
            let seed = single(evaluate(rule, scope: EvaluationScope(at: node)), in: "randomize")
            return Shuffle.shuffled(offered, seed: Shuffle.seed(seed, conversions: conversions))
        case .drawn?:
            guard let seed = node.recordID.flatMap({ seeds[$0] }) else { return offered }
            return Shuffle.shuffled(offered, seed: Double(seed))
        }
    }

    /// The choice of that name, if it is offered.
    package mutating func choice(
        _ name: Name, of question: FormOutline.ID, at node: NodeReference
    ) -> OfferedChoice? {
        state.refill()
        return choices(of: question, at: node, named: name).first
    }

    /// - Parameter name: only those of that name.
    private mutating func choices(
        of question: FormOutline.ID, at node: NodeReference, named name: Name?
    ) -> [OfferedChoice] {
        guard case .select(_, let source) = outline[question].type else { return [] }
        if case .answers(let answered) = source {
            return answers(to: answered, of: question, at: node).filter { name == nil || $0.name == name }
        }
        guard let list = source.instanceName else { return [] }
        guard let number = instances.number(list) else {
            state.report(.missingFile, in: "choices")
            return []
        }
        let columns = ChoiceColumns(node: outline[question].node)
        let filter = program.rules[question].choiceFilter
        switch instances[number] {
        case .table(let table):
            let rows = rows(
                of: table, number: number, filter: filter, at: node, named: name.map { (columns.value, $0) })
            return rows.compactMap { row in
                table.cell(row: row, column: columns.value).map {
                    OfferedChoice(name: Name($0), label: table.cell(row: row, column: columns.label))
                }
            }
        case .document: return elements(of: number, columns: columns, filter: filter, at: node, named: name)
        }
    }

    private mutating func rows(
        of table: TableInstance, number: Int, filter: FormExpression?, at node: NodeReference,
        named name: (column: Name, name: Name)?
    ) -> [Int] {
        guard table.rowCount > 0 else { return [] }
        let start = NodeReference(.instance(number), node: TableInstance.root)
        let isPositional = filter.map { Self.isPositional($0) } ?? false
        if let name, !isPositional {
            let value = FormValue.text(name.name.text)
            let found =
                table.rows(column: name.column, equalTo: value, conversions: conversions)
                ?? (0..<table.rowCount).filter { table.cell(row: $0, column: name.column) == name.name.text }
            let items = found.map { NodeReference(.instance(number), node: table.item(row: $0)) }
            let kept = filtered(
                items, predicates: (filter.map { [$0] } ?? [])[...], scope: EvaluationScope(at: node))
            return kept.compactMap { table.row(of: $0.node) }
        }
        let step = PathStep(test: .name("item"), predicates: filter.map { [$0] } ?? [])
        let all = take(step, from: [start], holder: nil, scope: EvaluationScope(at: node))
        let rows = all.compactMap { table.row(of: $0.node) }
        guard let name else { return rows }
        return rows.filter { table.cell(row: $0, column: name.column) == name.name.text }
    }

    /// Whether it asks for a candidate's position, directly or as a number.
    private static func isPositional(_ filter: FormExpression) -> Bool {
        var isFound = false
        filter.forEach { part in
            if case .call(let call) = part, call.function == .position || call.function == .last { isFound = true }
        }
        if case .number = filter { isFound = true }
        return isFound
    }

    /// Of an XML file: `root/item`, as of a table.
    private mutating func elements(
        of number: Int, columns: ChoiceColumns, filter: FormExpression?, at node: NodeReference, named name: Name?
    ) -> [OfferedChoice] {
        let scope = EvaluationScope(at: node)
        let document = NodeReference(.instance(number), node: TreeInstance.document)
        let roots = take(PathStep(test: .any), from: [document], holder: nil, scope: scope)
        let step = PathStep(test: .name("item"), predicates: filter.map { [$0] } ?? [])
        let items = take(step, from: roots, holder: nil, scope: scope)
        return items.compactMap { item in
            guard let value = child(columns.value, of: item), !value.isEmpty, name == nil || name == Name(value) else {
                return nil
            }
            return OfferedChoice(name: Name(value), label: child(columns.label, of: item))
        }
    }

    private func child(_ name: Name, of node: NodeReference) -> String? {
        neighbours(of: node, step: .child(name), holder: nil).first.map { conversions.text(value(of: $0)) }
    }

    /// The answers to a question in a repeat are the choices; blank ones are not offered, equal ones once.
    private mutating func answers(
        to name: Name, of question: FormOutline.ID, at node: NodeReference
    ) -> [OfferedChoice] {
        guard let answered = outline.nodes(named: name).first, let around = outline[answered].enclosingRepeat else {
            return []
        }
        let scope = EvaluationScope(at: node)
        var nodes: [NodeReference] = [.top]
        let path = outline.path(of: answered)
        for (depth, name) in path.enumerated() {
            let isRepeat = depth == outline[around].depth
            let predicates = isRepeat ? program.rules[question].choiceFilter.map { [$0] } ?? [] : []
            let step = PathStep(test: .name(name), predicates: predicates)
            nodes = take(step, from: nodes, holder: isRepeat ? nil : node.enclosingID, scope: scope)
        }
        var seen: Set<Name> = []
        return nodes.map { Name(conversions.text(value(of: $0))) }.filter { !$0.isEmpty && seen.insert($0).inserted }
            .map { OfferedChoice(name: $0, label: nil) }
    }

    // MARK: Names of choices

    mutating func choiceName(_ arguments: [FormExpression], scope: EvaluationScope) -> FormValue {
        let name = Name(text(of: arguments[0], scope: scope))
        guard !name.isEmpty, let question = staticPaths(scope).target(of: arguments[1]) else { return .empty }
        guard case .nodes(let nodes) = evaluate(arguments[1], scope: scope) else { return .empty }
        let node = nodes.first ?? .missingChild(of: Record.root)
        guard choiceDepth < FormLimits.predicates else {
            state.report(.limit, in: "jr:choice-name")
            return .empty
        }
        choiceDepth += 1
        defer { choiceDepth -= 1 }
        guard state.spend(1), let choice = choices(of: question, at: node, named: name).first else { return .empty }
        return .text(choice.label ?? choice.name.text)
    }
}
