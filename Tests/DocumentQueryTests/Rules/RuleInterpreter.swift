import DocumentQuery
import DocumentValues

/// What an expression is for a document, by the rules of the language, written in the simplest way and without anything
/// of what answers real queries: a second opinion on them.
///
/// Left out are aggregates, META, collations, full text, regular expressions and dates. Where ours differs from the engine
/// that was recorded, see `RecordingTests`, it is as ours.
struct RuleInterpreter {
    let document: RuleValue
    /// The name of the only collection.
    let source: String
    /// By their names; without a value they are MISSING.
    var parameters: [RuleMember] = []
    private var variables: [RuleMember] = []

    init(document: RuleValue, source: String, parameters: [RuleMember] = []) {
        self.document = document
        self.source = source
        self.parameters = parameters
    }

    func value(_ expression: QueryExpression) throws -> RuleValue {
        switch expression {
        case .missing: return .missing
        case .literal(let json): return RuleValue(json)
        case .property(let path): return value(of: path)
        case .variable(let name, let path): return value(of: QueryPath([.key(Name(name))] + path.steps))
        case .parameter(let name): return parameter(name)
        case .array(let elements): return .array(try elements.map { try value($0) }.filter { !$0.isMissing })
        case .object(let members):
            return RuleValue(members: try members.map { RuleMember(key: $0.key, value: try value($0.value)) })
        case .nested(let outer, let path): return part(try value(outer), at: path.steps)
        case .unary(.negate, let operand): return try negated(operand)
        case .unary(.not, let operand): return RuleLogic.not(try value(operand))
        case .binary(let operation, let left, let right):
            return try RuleOperators.apply(operation, left: try value(left), right: try value(right))
        case .between(let tested, let low, let high, let isNegated):
            let result = try RuleOperators.between(try value(tested), low: try value(low), high: try value(high))
            return isNegated ? RuleLogic.not(result) : result
        case .among(let wanted, let list, let isNegated):
            let result = try among(try value(wanted), list: list)
            return isNegated ? RuleLogic.not(result) : result
        case .like(let text, let pattern, let isNegated):
            let result = try RuleLike.matches(try value(text), pattern: try value(pattern))
            return isNegated ? RuleLogic.not(result) : result
        case .test(let tested, let test, let isNegated):
            let result = self.test(try value(tested), is: test)
            return isNegated ? RuleLogic.not(result) : result
        case .quantified(let quantifier, let variable, let list, let condition):
            return try quantified(quantifier, variable: variable, list: list, condition: condition)
        case .choice(let subject, let branches, let otherwise):
            return try choice(subject, branches: branches, otherwise: otherwise)
        case .call(let name, let arguments):
            return try RuleFunctions.call(name, arguments: try arguments.map { try value($0) })
        case .aggregate, .meta, .all, .collated, .match, .rank, .exists: throw RuleError.unspecified("left out")
        }
    }

    /// Whether WHERE keeps the document.
    func isKept(by condition: QueryExpression) throws -> Bool { RuleLogic.truth(try value(condition)) == true }

    // MARK: Names

    /// A variable by its name, the document by the name of its collection, or a member of the document.
    private func value(of path: QueryPath) -> RuleValue {
        guard let first = path.firstKey else { return .missing }
        if let variable = variables.last(where: { $0.key.isExactly(first) }) {
            return part(variable.value, at: path.dropFirst().steps)
        }
        return part(document, at: first.isExactly(source) ? path.dropFirst().steps : path.steps)
    }

    /// Anything wrong on the way is MISSING.
    private func part(_ value: RuleValue, at steps: [QueryPath.Step]) -> RuleValue {
        guard let step = steps.first else { return value }
        let inner: RuleValue
        switch (step, value) {
        case (.key(let key), .object(let members)):
            inner = members.first { $0.key.isExactly(key.text) }?.value ?? .missing
        case (.index(let index), .array(let elements)):
            let position = index < 0 ? elements.count + index : index
            inner = elements.indices.contains(position) ? elements[position] : .missing
        default: inner = .missing
        }
        return part(inner, at: Array(steps.dropFirst()))
    }

    /// Null is MISSING here, booleans are 1.0 and 0.0.
    private func parameter(_ name: String) -> RuleValue {
        let value = parameters.first { $0.key.isExactly(name) }?.value ?? .missing
        switch value {
        case .null: return .missing
        case .boolean(let boolean): return .double(boolean ? 1 : 0)
        case .missing, .integer, .double, .text, .array, .object: return value
        }
    }

    // MARK: Operators that look at their operands' spelling

    /// 0 less the value: 0.0 stays 0.0. A number that is written out has the other sign, and -0.0 is one, too.
    private func negated(_ operand: QueryExpression) throws -> RuleValue {
        let value = try value(operand)
        if case .literal = operand, case .double(let double) = value { return .double(-double) }
        return try RuleOperators.apply(.subtract, left: .integer(0), right: value)
    }

    /// Equal to an element: 1. Else MISSING, if the value or an element is. Nothing is in a written list without elements,
    /// and in what is no list: null.
    private func among(_ wanted: RuleValue, list: QueryExpression) throws -> RuleValue {
        if case .array(let elements) = list {
            guard !elements.isEmpty else { return .null }
            let values = try elements.map { try value($0) }
            guard !wanted.isMissing else { return .missing }
            if values.contains(where: { !$0.isMissing && $0.isEqual(to: wanted) }) { return .truth(true) }
            return values.contains(where: \.isMissing) ? .missing : .truth(false)
        }
        let found = try value(list)
        guard !wanted.isMissing, !found.isMissing else { return .missing }
        switch found {
        case .array(let elements): return .truth(elements.contains { $0.isEqual(to: wanted) })
        case .object(let members): return .truth(members.contains { $0.value.isEqual(to: wanted) })
        case .missing, .null, .boolean, .integer, .double, .text: return .null
        }
    }

    private func test(_ value: RuleValue, is test: ValueTest) -> RuleValue {
        switch test {
        case .missing: .truth(value.isMissing)
        case .null: value.isMissing ? .missing : .truth(value.isNull)
        case .valued: .truth(!value.isMissing && !value.isNull)
        }
    }

    /// The result of the first branch that is true, or equal to the subject; null if none is.
    private func choice(
        _ subject: QueryExpression?, branches: [ChoiceBranch], otherwise: QueryExpression?
    ) throws -> RuleValue {
        for branch in branches {
            let condition = try value(branch.condition)
            let test = try subject.map { try RuleOperators.apply(.equal, left: try value($0), right: condition) }
            if RuleLogic.truth(test ?? condition) == true { return try value(branch.result) }
        }
        return try otherwise.map { try value($0) } ?? .null
    }

    // MARK: ANY and EVERY

    /// ANY: one element has a true condition. EVERY: none has a false one.
    private func quantified(
        _ quantifier: Quantifier, variable: String, list: QueryExpression, condition: QueryExpression
    ) throws -> RuleValue {
        let list = try value(list)
        let truths = try elements(list).map { element in
            var inner = self
            inner.variables.append(RuleMember(key: variable, value: element))
            return RuleLogic.truth(try inner.value(condition))
        }
        switch quantifier {
        case .any:
            let isTrue = truths.contains(true)
            return RuleColumns.isEquality(condition, with: variable) ? .boolean(isTrue) : .truth(isTrue)
        case .every: return .truth(!truths.contains(false))
        case .anyAndEvery: return .truth(isFilledList(list) && !truths.contains(false))
        }
    }

    private func elements(_ list: RuleValue) -> [RuleValue] {
        switch list {
        case .missing: []
        case .array(let elements): elements
        case .object(let members): members.map(\.value)
        case .null, .boolean, .integer, .double, .text: [list]
        }
    }

    /// For ANY AND EVERY a value alone is no list, and nulls alone are no elements.
    private func isFilledList(_ list: RuleValue) -> Bool { list.isContainer && elements(list).contains { !$0.isNull } }
}

/// Which columns are true or false where others are 1 or 0.
enum RuleColumns {
    /// Without an alias the outermost operator decides.
    static func value(_ value: RuleValue, of expression: QueryExpression) -> RuleValue {
        guard isBoolean(expression), case .integer(let truth) = value else { return value }
        return .boolean(truth != 0)
    }

    /// AND, OR, NOT, comparisons, IS, BETWEEN, EVERY, and IN, LIKE and IS VALUED if they are negated.
    private static func isBoolean(_ expression: QueryExpression) -> Bool {
        switch expression {
        case .binary(let operation, _, _): operation.isComparison || operation == .and || operation == .or
        case .unary(let operation, _): operation == .not
        case .between: true
        case .among(_, _, let isNegated), .like(_, _, let isNegated): isNegated
        case .test(_, let test, let isNegated): test != .valued || isNegated
        case .quantified(let quantifier, _, _, _): quantifier != .any
        case .missing, .literal, .property, .parameter, .variable, .array, .object, .nested, .choice, .call, .aggregate,
            .meta, .all, .collated, .match, .rank, .exists:
            false
        }
    }

    /// `ANY x IN … SATISFIES x = c END` is true or false everywhere.
    static func isEquality(_ condition: QueryExpression, with variable: String) -> Bool {
        guard case .binary(.equal, let left, let right) = condition, isVariable(left, named: variable) else {
            return false
        }
        return !right.contains {
            if case .property(let path) = $0 { path.firstKey?.isExactly(variable) == true } else { false }
        }
    }

    private static func isVariable(_ expression: QueryExpression, named name: String) -> Bool {
        guard case .property(let path) = expression, path.steps.count == 1 else { return false }
        return path.firstKey?.isExactly(name) == true
    }
}
