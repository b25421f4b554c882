import DocumentValues

/// Operands with operators between them, in the order of the text.
struct OperatorRun {
    /// An operator, or `and` and `or`, which need not evaluate all of their sides.
    enum Operator {
        case logical(FormExpression.LogicalOperator)
        case binary(FormExpression.Operator)

        /// `nil` for a token that is none. `and`, `div` and so on are names before an operand, and operators behind one.
        init?(of token: Token) {
            switch token.kind {
            case .name("or"): self = .logical(.or)
            case .name("and"): self = .logical(.and)
            case .name("div"): self = .binary(.divided)
            case .name("mod"): self = .binary(.modulo)
            case .mark(.star): self = .binary(.times)
            case .mark(let mark):
                guard let binary = FormExpression.Operator(exactly: mark.rawValue) else { return nil }
                self = .binary(binary)
            case .name, .number, .text, .reference, .end: return nil
            }
        }

        /// The tightest has the highest.
        var level: Int {
            switch self {
            case .logical(.or): 0
            case .logical(.and): 1
            case .binary(.equal), .binary(.notEqual): 2
            case .binary(.less), .binary(.lessOrEqual), .binary(.greater), .binary(.greaterOrEqual): 3
            case .binary(.plus), .binary(.minus): 4
            case .binary(.times), .binary(.divided), .binary(.modulo): 5
            }
        }
    }

    private var operands: [FormExpression]
    private var operators: [Operator] = []

    init(first: FormExpression) { operands = [first] }

    mutating func add(_ operator: Operator, right: FormExpression) {
        operators.append(`operator`)
        operands.append(right)
    }

    /// One expression, by the levels of the operators.
    var folded: FormExpression {
        var run = self
        for level in (0...5).reversed() where !run.operators.isEmpty { run.fold(level) }
        return run.operands[0]
    }

    /// Joins what operators of one level connect.
    private mutating func fold(_ level: Int) {
        var (folded, kept): ([FormExpression], [Operator]) = ([], [])
        var start = 0
        for end in operands.indices where end == operators.count || operators[end].level != level {
            folded.append(joined(start...end))
            if end < operators.count { kept.append(operators[end]) }
            start = end + 1
        }
        (operands, operators) = (folded, kept)
    }

    private func joined(_ range: ClosedRange<Int>) -> FormExpression {
        guard range.count > 1 else { return operands[range.lowerBound] }
        switch operators[range.lowerBound] {
        case .logical(let logical): return .logical(logical, Array(operands[range]))
        case .binary:
            let links = range.dropFirst().compactMap { index -> FormExpression.ChainLink? in
                guard case .binary(let binary) = operators[index - 1] else { return nil }
                return FormExpression.ChainLink(operator: binary, right: operands[index])
            }
            return .chain(operands[range.lowerBound], links)
        }
    }
}
