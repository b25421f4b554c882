import DocumentValues

/// Reads the text of an expression. References `${name}` stay; `ReferenceResolver` replaces them.
package struct ExpressionParser {
    var tokens: [Token]
    var index = 0
    private var depth = 0
    /// Predicates around the present token.
    var predicateDepth: Int

    /// - Parameter isPredicate: whether the whole expression is one, as a choice filter is.
    /// - Throws: `ExpressionError` with the first fault.
    package static func parse(
        _ text: String, isPredicate: Bool = false
    ) throws(ExpressionError) -> FormExpression {
        var parser = ExpressionParser(
            tokens: try Lexer.tokens(of: text), predicateDepth: isPredicate ? 1 : 0)
        if case .end = parser.current.kind {
            throw ExpressionError(.syntax, message: "an expression is missing", position: 0)
        }
        let expression = try parser.readExpression()
        guard case .end = parser.current.kind else { throw parser.trailingError() }
        return expression
    }

    private init(tokens: [Token], predicateDepth: Int) {
        self.tokens = tokens
        self.predicateDepth = predicateDepth
    }

    // MARK: Tokens

    var current: Token { tokens[index] }

    /// The token behind the present one.
    var next: Token { tokens[min(index + 1, tokens.count - 1)] }

    mutating func take(_ mark: Token.Mark) -> Bool {
        guard case .mark(mark) = current.kind else { return false }
        index += 1
        return true
    }

    func isNext(_ mark: Token.Mark) -> Bool {
        if case .mark(mark) = current.kind { true } else { false }
    }

    mutating func expect(_ mark: Token.Mark, after what: String) throws(ExpressionError) {
        guard take(mark) else { throw error("'\(mark.rawValue)' is missing behind \(what)") }
    }

    func error(_ message: String, at position: Int? = nil) -> ExpressionError {
        ExpressionError(.syntax, message: message, position: position ?? current.position)
    }

    private func trailingError() -> ExpressionError {
        switch current.kind {
        case .mark(.close): error("')' has no '(' before it")
        case .mark(.closePredicate): error("']' has no '[' before it")
        case .mark(.comma): error("',' only stands between the arguments of a function")
        case .mark(let mark): error("'\(mark.rawValue)' does not belong here")
        case .name(let name): error("an operator is missing before '\(name)'")
        case .reference(let name, _): error("an operator is missing before ${\(name)}")
        case .number, .text: error("an operator is missing before this value")
        case .end: error("the expression ends too early")
        }
    }

    // MARK: Operators

    /// A whole expression: operands with operators between them, gathered first and ordered by their levels behind it, so
    /// that a level of operators takes no level of calls.
    mutating func readExpression() throws(ExpressionError) -> FormExpression {
        guard depth < FormLimits.expressionDepth else {
            throw ExpressionError(
                .limit, message: "more than \(FormLimits.expressionDepth) levels inside each other",
                position: current.position)
        }
        depth += 1
        defer { depth -= 1 }
        var run = OperatorRun(first: try readUnary())
        while let level = OperatorRun.Operator(of: current) {
            index += 1
            run.add(level, right: try readUnary())
        }
        return run.folded
    }

    private mutating func readUnary() throws(ExpressionError) -> FormExpression {
        var isNegated = false
        var hasSign = false
        while take(.minus) {
            isNegated.toggle()
            hasSign = true
        }
        let operand = try readUnion()
        // Two signs still make a number of it.
        return isNegated ? .negated(operand) : hasSign ? .negated(.negated(operand)) : operand
    }

    private mutating func readUnion() throws(ExpressionError) -> FormExpression {
        let start = current.position
        let first = try readPath()
        guard isNext(.bar) else { return first }
        var members = [first]
        while take(.bar) { members.append(try readPath()) }
        guard members.allSatisfy(\.isNodes) else {
            throw ExpressionError(.pathNeeded, message: "'|' joins paths only", position: start)
        }
        return .union(members)
    }
}

extension FormExpression {
    /// Whether it gives a set of nodes, and no single value.
    package var isNodes: Bool {
        switch self {
        case .path, .union: true
        case .call(let call): call.function.givesNodes
        case .text, .number, .negated, .logical, .chain: false
        }
    }
}
