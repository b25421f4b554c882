import DocumentQuery
import DocumentValues
import SeededRandom

/// Expressions of all operators and functions that `RuleInterpreter` knows; their operands have mostly the kind that makes
/// sense, and now and then another one.
struct RandomExpressions {
    static let depth = 5
    /// The values of `$number` and so on; `$unset` has none.
    static let parameters: JSONObject = [
        "number": 3, "real": 1.5, "text": "ab", "list": [1, "a", nil, true, [1]], "flag": true, "nothing": nil,
    ]

    private enum Kind: CaseIterable { case number, text, truth, list, any }

    private let source: String
    private var random: SimulationRandom
    /// Of the ANY and EVERY around.
    private var variables: [String] = []
    private var variableCount = 0

    init(seed: UInt64, source: String) {
        self.source = source
        random = SimulationRandom(seed: seed)
    }

    mutating func next() -> QueryExpression {
        expression(kind: kind(), depth: Int.random(in: 1...Self.depth, using: &random))
    }

    /// Comparisons of members with what is written: conditions that indexes help with.
    mutating func nextCondition() -> QueryExpression {
        let parts = (0...number(below: 2)).map { _ in comparison() }
        return parts.dropFirst().reduce(parts[0]) { .binary(random.chance(60) ? .and : .or, $0, $1) }
    }

    private mutating func comparison() -> QueryExpression {
        let kind = kind()
        let key = random.chance(20) ? RandomDatabase.indexedCall : .property(QueryPath(keys: [name(kind)]))
        return comparison(of: key, kind: kind)
    }

    /// A comparison of what an index may have.
    mutating func nextComparison(of key: QueryExpression) -> QueryExpression { comparison(of: key, kind: kind()) }

    /// What an index may have, most often a member.
    mutating func nextKey() -> QueryExpression {
        switch number(below: 10) {
        case 0...4: .property(QueryPath(keys: [name(kind())]))
        case 5, 6: nextQuantified()
        case 7: call(["LOWER", "TYPE", "ABS", "TOATOM", "ISSTRING", "ARRAY_COUNT"], of: [kind()], depth: 0)
        case 8: property(kind())
        default: expression(kind: kind(), depth: 2)
        }
    }

    /// ANY or EVERY.
    mutating func nextQuantified() -> QueryExpression { quantified(depth: 1) }

    private mutating func comparison(of key: QueryExpression, kind: Kind) -> QueryExpression {
        switch number(below: 7) {
        case 0: return .between(key, low: literal(kind), high: literal(kind), isNegated: random.chance(20))
        case 1: return .among(key, list: .array([literal(kind), literal(.any)]), isNegated: random.chance(20))
        case 2: return .like(key, pattern: literal(.text), isNegated: random.chance(20))
        case 3:
            return .test(key, random.pick([ValueTest.null, .missing, .valued]) ?? .null, isNegated: random.chance(40))
        case 4: return .binary(random.chance(50) ? .same : .notSame, key, literal(random.chance(50) ? kind : .any))
        case 5: return .binary(random.pick(Self.comparisons) ?? .equal, literal(kind), key)
        default: return .binary(random.pick(Self.comparisons) ?? .equal, key, leaf(kind))
        }
    }

    /// A number for what the caller chooses.
    mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private mutating func kind() -> Kind { random.pick(Kind.allCases) ?? .any }

    private mutating func expression(kind wanted: Kind, depth: Int) -> QueryExpression {
        let kind = random.chance(15) ? kind() : wanted
        if depth <= 0 || random.chance(12) { return leaf(kind) }
        if random.chance(12) { return choosing(kind, depth: depth - 1) }
        switch kind {
        case .number: return number(depth: depth - 1)
        case .text: return text(depth: depth - 1)
        case .truth: return truth(depth: depth - 1)
        case .list: return list(depth: depth - 1)
        case .any: return call(["TOATOM", "ARRAY_IFNULL", "TRIM", "TONUMBER"], of: [.list], depth: depth - 1)
        }
    }

    private mutating func expressions(_ kind: Kind, count: ClosedRange<Int>, depth: Int) -> [QueryExpression] {
        (0..<Int.random(in: count, using: &random)).map { _ in expression(kind: kind, depth: depth) }
    }

    // MARK: Numbers

    private mutating func number(depth: Int) -> QueryExpression {
        switch number(below: 8) {
        case 0...3:
            let operation = random.pick([BinaryOperator.add, .subtract, .multiply, .divide, .modulo]) ?? .add
            return binary(operation, kind: .number, depth: depth)
        case 4: return .unary(.negate, expression(kind: .number, depth: depth))
        case 5: return call(Self.numberFunctions, of: [.number], depth: depth)
        case 6:
            return call(
                ["ATAN2", "POWER", "DIV", "IDIV", "ROUND", "ROUND_EVEN", "TRUNC"], of: [.number, .number],
                depth: depth)
        default:
            if random.chance(10) { return .call(random.chance(50) ? "E" : "PI", []) }
            if random.chance(40) { return call(["LENGTH", "TONUMBER"], of: [.text], depth: depth) }
            return call(
                ["ARRAY_LENGTH", "ARRAY_COUNT", "ARRAY_SUM", "ARRAY_AVG", "ARRAY_MAX", "ARRAY_MIN"], of: [.list],
                depth: depth)
        }
    }

    private static let numberFunctions = [
        "ABS", "ACOS", "ASIN", "ATAN", "CEIL", "COS", "DEGREES", "EXP", "FLOOR", "LN", "LOG", "RADIANS", "SIGN", "SIN",
        "SQRT", "TAN", "ROUND", "ROUND_EVEN", "TRUNC",
    ]

    // MARK: Texts

    private mutating func text(depth: Int) -> QueryExpression {
        switch number(below: 6) {
        case 0, 1:
            .binary(
                .concatenate, expression(kind: .any, depth: depth), expression(kind: .text, depth: depth))
        case 2: .call("CONCAT", expressions(.any, count: 2...3, depth: depth))
        case 3: call(["TYPE", "TYPENAME", "TOSTRING"], of: [.any], depth: depth)
        default: call(["LOWER", "UPPER", "TRIM", "LTRIM", "RTRIM"], of: [.text], depth: depth)
        }
    }

    // MARK: Truth

    private mutating func truth(depth: Int) -> QueryExpression {
        switch number(below: 12) {
        case 0, 1:
            binary(random.pick(Self.comparisons) ?? .equal, kind: kind(), depth: depth)
        case 2: binary(random.pick([BinaryOperator.same, .notSame]) ?? .same, kind: kind(), depth: depth)
        case 3, 4: binary(random.chance(50) ? .and : .or, kind: .truth, depth: depth)
        case 5: .unary(.not, expression(kind: .truth, depth: depth))
        case 6: between(depth: depth)
        case 7: among(depth: depth)
        case 8:
            .like(
                expression(kind: .text, depth: depth), pattern: expression(kind: .text, depth: depth),
                isNegated: random.chance(40))
        case 9:
            .test(
                expression(kind: .any, depth: depth),
                random.pick([ValueTest.null, .missing, .valued]) ?? .null, isNegated: random.chance(40))
        case 10: quantified(depth: depth)
        default: truthCall(depth: depth)
        }
    }

    private static let comparisons: [BinaryOperator] = [
        .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]

    private mutating func truthCall(depth: Int) -> QueryExpression {
        switch number(below: 3) {
        case 0: call(["CONTAINS"], of: [.text, .text], depth: depth)
        case 1:
            random.chance(50)
                ? call(["ARRAY_CONTAINS"], of: [.list, .number], depth: depth)
                : .call("ARRAY_CONTAINS", [.property(QueryPath(keys: ["a"])), .property(element(of: "a"))])
        default:
            call(
                ["ISARRAY", "ISATOM", "ISBOOLEAN", "ISNUMBER", "ISOBJECT", "ISSTRING", "TOBOOLEAN"], of: [.any],
                depth: depth)
        }
    }

    private mutating func between(depth: Int) -> QueryExpression {
        let kind = kind()
        return .between(
            expression(kind: kind, depth: depth), low: expression(kind: kind, depth: depth),
            high: expression(kind: kind, depth: depth), isNegated: random.chance(40))
    }

    /// In a written list, or in what has one.
    private mutating func among(depth: Int) -> QueryExpression {
        let kind = kind()
        let value = expression(kind: kind, depth: depth)
        let isWritten = random.chance(60)
        return .among(
            value,
            list: isWritten
                ? .array(expressions(kind, count: 0...4, depth: depth)) : expression(kind: .list, depth: depth),
            isNegated: random.chance(40))
    }

    /// With a condition that looks at the variable.
    private mutating func quantified(depth: Int) -> QueryExpression {
        let list = expression(kind: .list, depth: min(depth, 1))
        variableCount += 1
        let variable = "x\(variableCount)"
        variables.append(variable)
        defer { variables.removeLast() }
        let isPlain = random.chance(30)
        let condition =
            isPlain
            ? QueryExpression.binary(
                random.pick(Self.comparisons) ?? .equal, .property(QueryPath(keys: [variable])),
                expression(kind: .any, depth: depth)) : expression(kind: .truth, depth: depth)
        return .quantified(
            random.pick([Quantifier.any, .any, .every, .anyAndEvery]) ?? .any, variable: variable, list: list,
            condition: condition)
    }

    // MARK: Lists

    private mutating func list(depth: Int) -> QueryExpression {
        switch number(below: 5) {
        case 0, 1: return .array(expressions(kind(), count: 0...4, depth: depth))
        case 2: return object(depth: depth)
        case 3: return .nested(object(depth: depth), path())
        default: return call(["TOARRAY", "TOOBJECT"], of: [.any], depth: depth)
        }
    }

    private mutating func object(depth: Int) -> QueryExpression {
        let names = RandomDocuments.names.filter { _ in random.chance(15) }
        return .object(names.map { (key: $0, value: expression(kind: .any, depth: depth)) })
    }

    // MARK: Of any kind

    private mutating func choosing(_ kind: Kind, depth: Int) -> QueryExpression {
        switch number(below: 5) {
        case 0, 1: choice(kind, depth: depth)
        case 2:
            .call(
                random.pick(["IFMISSING", "IFMISSINGORNULL", "IFNULL"]) ?? "IFNULL",
                expressions(kind, count: 2...3, depth: depth))
        case 3: call(["MISSINGIF", "NULLIF"], of: [kind, kind], depth: depth)
        default:
            .call(random.chance(50) ? "GREATEST" : "LEAST", expressions(kind, count: 2...3, depth: depth))
        }
    }

    private mutating func choice(_ kind: Kind, depth: Int) -> QueryExpression {
        let subject = random.chance(50) ? expression(kind: .any, depth: depth) : nil
        let branches = (1...Int.random(in: 1...2, using: &random)).map { _ in
            ChoiceBranch(
                condition: expression(kind: subject == nil ? .truth : .any, depth: depth),
                result: expression(kind: kind, depth: depth))
        }
        return .choice(
            subject: subject, branches: branches,
            otherwise: random.chance(60) ? expression(kind: kind, depth: depth) : nil)
    }

    private mutating func binary(_ operation: BinaryOperator, kind: Kind, depth: Int) -> QueryExpression {
        let left = expression(kind: kind, depth: depth)
        let right = random.chance(15) ? twin(of: left) : nil
        return .binary(operation, left, right ?? expression(kind: kind, depth: depth))
    }

    /// The same value, or the double that is next to it: by chance two values are hardly ever equal. A variable may be
    /// used once only.
    private mutating func twin(of expression: QueryExpression) -> QueryExpression? {
        guard !expression.contains({ if case .quantified = $0 { true } else { false } }) else { return nil }
        return random.chance(50) ? expression : .binary(.add, expression, .literal(RandomValues.number("0.0")))
    }

    private mutating func call(_ names: [String], of kinds: [Kind], depth: Int) -> QueryExpression {
        .call(random.pick(names) ?? names[0], kinds.map { expression(kind: $0, depth: depth) })
    }

    // MARK: Leaves

    private mutating func leaf(_ kind: Kind) -> QueryExpression {
        if !variables.isEmpty, random.chance(40) { return variable() }
        if random.chance(65) { return property(kind) }
        if random.chance(8) { return .missing }
        if random.chance(10) { return parameter(kind) }
        return literal(kind)
    }

    private mutating func literal(_ kind: Kind) -> QueryExpression {
        switch kind {
        case .number:
            return .literal(RandomValues.number(random.pick(RandomValues.whole + RandomValues.doubles) ?? "0"))
        case .text: return .literal(.string(random.pick(RandomValues.texts) ?? ""))
        case .truth: return .literal(.bool(random.chance(50)))
        case .list: return .array((0..<number(below: 4)).map { _ in literal(.any) })
        case .any: return random.chance(15) ? .literal(.null) : literal(random.pick([.number, .text, .truth]) ?? .text)
        }
    }

    private mutating func parameter(_ kind: Kind) -> QueryExpression {
        switch kind {
        case .number: .parameter(random.chance(50) ? "number" : "real")
        case .text: .parameter("text")
        case .truth: .parameter("flag")
        case .list: .parameter("list")
        case .any: .parameter(random.chance(50) ? "nothing" : "unset")
        }
    }

    private mutating func variable() -> QueryExpression {
        var path = QueryPath(keys: [random.pick(variables) ?? "x"])
        if random.chance(20) { path.steps += self.path().steps }
        return .property(path)
    }

    /// Of the document, now and then with the collection in front, or inside another member.
    private mutating func property(_ kind: Kind) -> QueryExpression {
        let name = name(kind)
        switch number(below: 20) {
        case 0: return .property(QueryPath(keys: [source, name]))
        case 1, 2: return .property(QueryPath(keys: [random.pick(RandomDocuments.objectNames) ?? "o", name]))
        case 3:
            let steps = path().steps
            return .property(QueryPath([.key(Name(name))] + steps))
        case 4, 5:
            return .property(element(of: random.pick(RandomDocuments.arrayNames) ?? "a"))
        case 6: return .property(QueryPath(keys: [random.chance(90) ? "nope" : source]))
        default: return .property(QueryPath(keys: [name]))
        }
    }

    private mutating func name(_ kind: Kind) -> String {
        let names =
            switch kind {
            case .number: RandomDocuments.wholeNames + RandomDocuments.doubleNames
            case .text: RandomDocuments.textNames
            case .truth: ["b", "m", "i"]
            case .list: RandomDocuments.arrayNames + RandomDocuments.objectNames
            case .any: RandomDocuments.names
            }
        return random.pick(names) ?? names[0]
    }

    private mutating func element(of array: String) -> QueryPath {
        QueryPath([.key(Name(array)), .index(Int.random(in: -3...2, using: &random))])
    }

    /// One or two steps, the first a name.
    private mutating func path() -> QueryPath {
        var path = QueryPath(keys: [random.pick(RandomDocuments.names) ?? "i"])
        if random.chance(30) { path.steps.append(.index(Int.random(in: -2...2, using: &random))) }
        return path
    }
}
