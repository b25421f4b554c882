import DocumentValues

extension ExpressionParser {
    mutating func readPrimary() throws(ExpressionError) -> FormExpression {
        switch current.kind {
        case .number(let number):
            index += 1
            return .number(number)
        case .text(let text):
            index += 1
            return .text(text)
        case .mark(.open):
            index += 1
            let inner = try readExpression()
            try expect(.close, after: "an expression in parentheses")
            return inner
        case .name(let name): return try readCall(name)
        case .reference, .end: throw error("a value is missing at the end")
        case .mark(let mark): throw error(Self.missingValue(before: mark))
        }
    }

    private static func missingValue(before mark: Token.Mark) -> String {
        switch mark {
        case .equal: "'=' needs a value on its left; equality is written with one '='"
        case .open, .close, .openPredicate, .closePredicate, .comma, .slash, .dot, .dots, .at, .axis, .star, .bar,
            .plus,
            .minus, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            "a value is missing before '\(mark.rawValue)'"
        }
    }

    private mutating func readCall(_ name: String) throws(ExpressionError) -> FormExpression {
        let position = current.position
        index += 1
        try expect(.open, after: "'\(name)'")
        guard let function = FormFunction(name: name) else {
            throw ExpressionError(
                .unknownFunction, message: "no function is called '\(name)'",
                hint: NearName.hint(name, among: FormFunction.names), position: position)
        }
        var arguments: [FormExpression] = []
        if !isNext(.close) {
            arguments.append(try readExpression())
            while take(.comma) { arguments.append(try readExpression()) }
        }
        try expect(.close, after: "the arguments of '\(name)'")
        let call = FunctionCall(function: function, arguments: arguments, position: position)
        try Self.check(call, name: name)
        return .call(call)
    }

    private static func check(_ call: FunctionCall, name: String) throws(ExpressionError) {
        let function = call.function
        guard function.takes(call.arguments.count) else {
            throw ExpressionError(
                .argumentCount, message: "'\(name)' \(countHint(function, count: call.arguments.count))",
                position: call.position)
        }
        for index in function.nodeArguments
        where index < call.arguments.count && !call.arguments[index].isNodes {
            throw ExpressionError(
                .pathNeeded, message: "argument \(index + 1) of '\(name)' must be a path, such as ${name}",
                position: call.position)
        }
        if function == .instance {
            guard case .text = call.arguments[0] else {
                throw ExpressionError(
                    .pathNeeded, message: "'instance' needs the name of a list in quotation marks",
                    position: call.position)
            }
        }
    }

    private static func countHint(_ function: FormFunction, count: Int) -> String {
        switch function {
        case .if: return "needs three arguments: if(condition, then, otherwise)"
        case .selected where count == 1: return "needs two arguments: selected(${question}, 'choice'), without '='"
        case .weightedChecklist: return "needs a smallest and a greatest sum, then pairs of an answer and its weight"
        case .indexedRepeat: return "needs a question, then pairs of a repeat and a number"
        default: break
        }
        let range = function.arguments
        let wanted =
            range.lowerBound == range.upperBound
            ? "\(range.lowerBound)"
            : range.upperBound == .max ? "at least \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        return "needs \(wanted) \(wanted == "1" || wanted == "at least 1" ? "argument" : "arguments"), not \(count)"
    }
}
