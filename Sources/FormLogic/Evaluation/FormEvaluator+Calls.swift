import DocumentValues

extension FormEvaluator {
    mutating func call(_ call: FunctionCall, scope: EvaluationScope) -> Result {
        let arguments = call.arguments
        switch call.function {
        case .if:
            return evaluate(boolean(evaluate(arguments[0], scope: scope)) ? arguments[1] : arguments[2], scope: scope)
        case .coalesce: return .value(coalesce(arguments, scope: scope))
        case .once: return .value(once(arguments[0], scope: scope))
        case .depend: return depend(arguments, scope: scope)
        case .position: return .value(.number(Double(position(arguments, scope: scope))))
        case .last: return .value(.number(Double(scope.size)))
        case .current: return .nodes([scope.current])
        case .instance: return .nodes(instance(arguments[0]))
        case .version: return .value(.text(program.version))
        case .property: return .value(.text(properties[Name(text(of: arguments[0], scope: scope))] ?? ""))
        case .count: return .value(.number(Double(set(arguments[0], scope: scope).count)))
        case .choiceName: return .value(choiceName(arguments, scope: scope))
        case .itext: return .value(.text(itext(text(of: arguments[0], scope: scope))))
        case .indexedRepeat: return .nodes(indexedRepeat(arguments, scope: scope))
        case .randomize: return .nodes(randomize(arguments, scope: scope))
        case .pulldata: return .value(pulldata(arguments, scope: scope))
        case .stringLength where arguments.isEmpty, .normalizeSpace where arguments.isEmpty:
            return ofValues(call.function, arguments: [.value(value(of: scope.context))])
        default: return ofValues(call.function, arguments: evaluated(arguments, scope: scope))
        }
    }

    private mutating func evaluated(
        _ arguments: [FormExpression], scope: EvaluationScope
    ) -> [FunctionArguments.Argument] {
        arguments.map { argument in
            switch evaluate(argument, scope: scope) {
            case .value(let value): .value(value)
            case .nodes(let nodes): .nodes(nodes.map { value(of: $0) })
            }
        }
    }

    private mutating func ofValues(_ function: FormFunction, arguments: [FunctionArguments.Argument]) -> Result {
        let arguments = FunctionArguments(arguments, of: function)
        return .value(FormFunctions.call(function, arguments: arguments, state: &state) ?? .empty)
    }

    /// An expression that must be a set of nodes; another has none.
    private mutating func set(_ expression: FormExpression, scope: EvaluationScope) -> [NodeReference] {
        guard case .nodes(let nodes) = evaluate(expression, scope: scope) else { return [] }
        return nodes
    }

    // MARK: Conditions and positions

    private mutating func coalesce(_ arguments: [FormExpression], scope: EvaluationScope) -> FormValue {
        let first = single(evaluate(arguments[0], scope: scope), in: "coalesce")
        let isEmpty = if case .number(let number) = first { number.isNaN } else { first.isEmptyText }
        return isEmpty ? single(evaluate(arguments[1], scope: scope), in: "coalesce") : first
    }

    private mutating func once(_ argument: FormExpression, scope: EvaluationScope) -> FormValue {
        let present = value(of: scope.context)
        return present.isEmptyText ? single(evaluate(argument, scope: scope), in: "once") : present
    }

    private mutating func depend(_ arguments: [FormExpression], scope: EvaluationScope) -> Result {
        let first = evaluate(arguments[0], scope: scope)
        for argument in arguments.dropFirst() { _ = evaluate(argument, scope: scope) }
        return first
    }

    private mutating func position(_ arguments: [FormExpression], scope: EvaluationScope) -> Int {
        guard let argument = arguments.first else { return scope.position ?? position(of: scope.context) }
        return set(argument, scope: scope).first.map { position(of: $0) } ?? 0
    }

    private mutating func instance(_ argument: FormExpression) -> [NodeReference] {
        guard case .text(let name) = argument else { return [] }
        guard let number = instances.number(Name(name)) else {
            if Name(name) != ReferenceResolver.lastSaved { state.report(.missingFile, in: "instance") }
            return []
        }
        return [NodeReference(.instance(number), node: TableInstance.document)]
    }

    private func itext(_ id: String) -> String {
        guard let text = program.texts[Name(id)] else { return "" }
        return text.text(in: state.language) ?? text.all.first ?? ""
    }

    // MARK: Sets of nodes

    private mutating func randomize(_ arguments: [FormExpression], scope: EvaluationScope) -> [NodeReference] {
        let nodes = set(arguments[0], scope: scope)
        guard state.spend(nodes.count) else { return [] }
        guard arguments.count > 1 else {
            var random = state.random
            defer { state.random = random }
            return Shuffle.shuffled(nodes) { random.fraction() }
        }
        let seed = single(evaluate(arguments[1], scope: scope), in: "randomize")
        return Shuffle.shuffled(nodes, seed: Shuffle.seed(seed, conversions: conversions))
    }

    private mutating func indexedRepeat(_ arguments: [FormExpression], scope: EvaluationScope) -> [NodeReference] {
        let paths = staticPaths(scope)
        guard let question = paths.target(of: arguments[0]) else { return [] }
        var indexes: [FormOutline.ID: Double] = [:]
        for index in stride(from: 1, to: arguments.count - 1, by: 2) {
            guard let found = paths.target(of: arguments[index]) else { return [] }
            indexes[found] = number(of: arguments[index + 1], scope: scope)
        }
        var nodes = [Record.root]
        for step in outline.ancestry(of: question).dropFirst() {
            nodes = nodes.flatMap { node in
                let children = record.children(of: node, formNode: step)
                guard outline[step].isRepeat else { return children }
                if let index = indexes[step] { return Self.element(of: children, at: index).map { [$0] } ?? [] }
                let holder = scope.context.enclosingID.flatMap { record.ancestor(of: $0, formNode: step) }
                return holder.map { children.contains($0) ? [$0] : children } ?? children
            }
            guard state.spend(nodes.count + 1) else { return [] }
        }
        return nodes.map { .record($0) }.filter { isRelevant($0) }
    }

    /// From 1; smaller numbers count as 1.
    private static func element(of ids: [Record.ID], at index: Double) -> Record.ID? {
        let whole = max(1, index.rounded(.towardZero))
        guard !index.isNaN, whole <= Double(ids.count) else { return nil }
        return ids[Int(whole) - 1]
    }

    /// Paths as seen from the node that has the expression.
    func staticPaths(_ scope: EvaluationScope) -> StaticPath {
        StaticPath(outline: outline, owner: scope.current.recordID.map { record[$0].formNode } ?? FormOutline.root)
    }

    // MARK: Look-ups

    private mutating func pulldata(_ arguments: [FormExpression], scope: EvaluationScope) -> FormValue {
        let file = PulledFile.instanceName(text(of: arguments[0], scope: scope))
        let column = Name(text(of: arguments[1], scope: scope))
        let keyColumn = Name(text(of: arguments[2], scope: scope))
        let key = text(of: arguments[3], scope: scope)
        guard case .table(let table) = instances[file] else {
            state.report(.missingFile, in: "pulldata")
            return .empty
        }
        if let rows = table.rows(column: keyColumn, equalTo: .text(key), conversions: conversions) {
            return .text(rows.first.flatMap { table.cell(row: $0, column: column) } ?? "")
        }
        guard let keyColumn = table.column(keyColumn), state.spend(table.rowCount) else { return .empty }
        let row = (0..<table.rowCount).first { table.cell(row: $0, column: keyColumn) == key }
        return .text(row.flatMap { table.cell(row: $0, column: column) } ?? "")
    }
}
