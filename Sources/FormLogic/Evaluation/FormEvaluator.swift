import DocumentValues

/// Evaluates expressions over a record. It is total: whatever the expression and the record, there is a value, perhaps with
/// reports, after a bounded number of steps.
package struct FormEvaluator: Sendable {
    /// What an expression gives.
    package enum Result: Sendable {
        case value(FormValue)
        /// In document order.
        case nodes([NodeReference])
    }

    package let program: FormProgram
    package var record: Record
    package var instances: FormInstances
    /// `username`, `deviceid` and so on.
    package var properties: [Name: String]
    package var state: FunctionState
    /// The numbers that decide the order of choices, of questions for which one is drawn.
    package var seeds: [Record.ID: Int64] = [:]
    /// An answer that is examined before it is stored, in place of the one that the record has.
    package var candidate: (node: Record.ID, answer: Answer?)?
    /// Filters of choices whose names are being looked up: one may look up a name of its own question.
    var choiceDepth = 0

    package init(
        program: FormProgram, record: Record, instances: FormInstances, state: FunctionState,
        properties: [Name: String] = [:]
    ) {
        self.program = program
        self.record = record
        self.instances = instances
        self.state = state
        self.properties = properties
        self.instances.index(program.lookups, conversions: state.conversions)
    }

    var outline: FormOutline { program.outline }
    var conversions: Conversions { state.conversions }

    /// The time of the next recomputation, in milliseconds since 1970.
    package mutating func setNow(_ now: Int64) { state.now = now }

    // MARK: Evaluation

    /// The value of an expression for a node, with the reports of its parts.
    package mutating func value(
        of expression: FormExpression, at node: NodeReference
    ) -> (value: FormValue, reports: [Report]) {
        state.refill()
        let value = single(evaluate(expression, scope: EvaluationScope(at: node)), in: "value")
        return (value, state.takeReports())
    }

    /// Whether an expression is true for a node.
    package mutating func boolean(
        of expression: FormExpression, at node: NodeReference
    ) -> (value: Bool, reports: [Report]) {
        state.refill()
        let value = boolean(evaluate(expression, scope: EvaluationScope(at: node)))
        return (value, state.takeReports())
    }

    mutating func evaluate(_ expression: FormExpression, scope: EvaluationScope) -> Result {
        guard state.spend(1) else { return .value(.empty) }
        switch expression {
        case .text(let text): return .value(.text(text))
        case .number(let number): return .value(.number(number))
        case .negated(let inner): return .value(.number(-number(of: inner, scope: scope)))
        case .logical(let logical, let sides): return .value(.boolean(holds(logical, sides: sides, scope: scope)))
        case .chain(let first, let links): return .value(chain(first, links: links, scope: scope))
        case .union(let paths): return .nodes(union(paths, scope: scope))
        case .call(let call): return self.call(call, scope: scope)
        case .path(let path): return .nodes(nodes(path, scope: scope))
        }
    }

    private mutating func holds(
        _ logical: FormExpression.LogicalOperator, sides: [FormExpression], scope: EvaluationScope
    ) -> Bool {
        for side in sides {
            let value = boolean(evaluate(side, scope: scope))
            switch logical {
            case .or: if value { return true }
            case .and: if !value { return false }
            }
        }
        return logical == .and
    }

    // MARK: Single values

    /// Of a set of nodes the value of the first, empty where there is none.
    mutating func single(_ result: Result, in function: Report.FunctionName) -> FormValue {
        switch result {
        case .value(let value): return value
        case .nodes(let nodes):
            if nodes.count > 1 { state.report(.severalNodes, in: function) }
            return nodes.first.map { value(of: $0) } ?? .empty
        }
    }

    func boolean(_ result: Result) -> Bool {
        switch result {
        case .value(let value): conversions.boolean(value)
        case .nodes(let nodes): nodes.count > 1 || nodes.first.map { conversions.boolean(value(of: $0)) } ?? false
        }
    }

    mutating func number(of expression: FormExpression, scope: EvaluationScope) -> Double {
        conversions.number(single(evaluate(expression, scope: scope), in: "number"))
    }

    mutating func text(of expression: FormExpression, scope: EvaluationScope) -> String {
        conversions.text(single(evaluate(expression, scope: scope), in: "string"))
    }

    // MARK: Operators

    private mutating func chain(
        _ first: FormExpression, links: [FormExpression.ChainLink], scope: EvaluationScope
    ) -> FormValue {
        var left = single(evaluate(first, scope: scope), in: "operator")
        for link in links {
            let right = single(evaluate(link.right, scope: scope), in: "operator")
            left = Operators.apply(link.operator, left: left, right: right, conversions: conversions)
        }
        return left
    }

    private mutating func union(_ paths: [FormExpression], scope: EvaluationScope) -> [NodeReference] {
        var (all, seen): ([NodeReference], Set<NodeReference>) = ([], [])
        for path in paths {
            guard case .nodes(let nodes) = evaluate(path, scope: scope) else { continue }
            for node in nodes where seen.insert(node).inserted { all.append(node) }
        }
        guard state.spend(all.count) else { return [] }
        return inDocumentOrder(all)
    }
}

/// The operators over values.
enum Operators {
    static func apply(
        _ operator: FormExpression.Operator, left: FormValue, right: FormValue, conversions: Conversions
    ) -> FormValue {
        func numbers(_ body: (Double, Double) -> Double) -> FormValue {
            .number(body(conversions.number(left), conversions.number(right)))
        }
        func compared(_ body: (Double, Double) -> Bool) -> FormValue {
            .boolean(body(conversions.number(left), conversions.number(right)))
        }
        return switch `operator` {
        case .equal: .boolean(areEqual(left, to: right, conversions: conversions))
        case .notEqual: .boolean(!areEqual(left, to: right, conversions: conversions))
        case .less: compared { $0 < $1 }
        case .lessOrEqual: compared { $0 <= $1 }
        case .greater: compared { $0 > $1 }
        case .greaterOrEqual: compared { $0 >= $1 }
        case .plus: numbers { $0 + $1 }
        case .minus: numbers { $0 - $1 }
        case .times: numbers { $0 * $1 }
        case .divided: numbers { $0 / $1 }
        case .modulo: numbers { $0.truncatingRemainder(dividingBy: $1) }
        }
    }

    static func areEqual(_ left: FormValue, to right: FormValue, conversions: Conversions) -> Bool {
        switch (left, right) {
        case (.boolean, _), (_, .boolean): return conversions.boolean(left) == conversions.boolean(right)
        case (.number, _), (_, .number):
            let (first, second) = (conversions.number(left), conversions.number(right))
            return first == second || abs(first - second) < FormNumberText.tolerance
        default: return conversions.text(left) == conversions.text(right)
        }
    }
}
