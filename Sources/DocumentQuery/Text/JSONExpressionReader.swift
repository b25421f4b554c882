import DocumentValues

/// Reads the expressions of a query in its JSON form, each an array with its operator first.
struct JSONExpressionReader {
    /// Expressions around.
    let nesting: Int
    /// Operators of the chains around: each is inside the next, and releasing very many takes stack.
    let chained: Int

    /// With nothing around.
    static let top = JSONExpressionReader(nesting: 0, chained: 0)

    private func inside() throws(QueryError) -> JSONExpressionReader {
        guard nesting < QueryLimits.nesting else {
            throw QueryError("The query is nested more than \(QueryLimits.nesting) levels deep")
        }
        return JSONExpressionReader(nesting: nesting + 1, chained: chained)
    }

    // MARK: In a statement

    func optional(_ value: JSONValue?) throws(QueryError) -> QueryExpression? {
        guard let value else { return nil }
        return try expression(value)
    }

    func column(_ value: JSONValue) throws(QueryError) -> ResultColumn {
        guard let (operation, arguments) = operation(value), operation == "AS" else {
            return ResultColumn(try expression(value))
        }
        guard arguments.count == 2, let alias = arguments[1].stringValue else { throw wrongCount("AS") }
        return ResultColumn(try expression(arguments[0]), alias: alias)
    }

    func term(_ value: JSONValue) throws(QueryError) -> OrderTerm {
        guard let (operation, arguments) = operation(value), operation == "DESC" || operation == "ASC" else {
            return OrderTerm(try expression(value))
        }
        guard arguments.count == 1 else { throw wrongCount(operation) }
        return OrderTerm(try expression(arguments[0]), isDescending: operation == "DESC")
    }

    private func operation(_ value: JSONValue) -> (String, [JSONValue])? {
        guard case .array(let parts) = value, case .string(let name)? = parts.first else { return nil }
        return (name, Array(parts.dropFirst()))
    }

    // MARK: Expressions

    func expression(_ value: JSONValue) throws(QueryError) -> QueryExpression {
        switch value {
        case .null, .bool, .number, .string: return .literal(value)
        case .object(let object):
            let inner = try inside()
            var members: [(key: String, value: QueryExpression)] = []
            for member in object.members { members.append((member.key, try inner.expression(member.value))) }
            return .object(members)
        case .array(let parts):
            guard let first = parts.first else { throw QueryError("Empty JSON array") }
            guard case .string(let name) = first else {
                throw QueryError("First item of a JSON array must be an operator")
            }
            return try inside().operation(name, arguments: Array(parts.dropFirst()))
        }
    }

    private func expressions(_ values: [JSONValue]) throws(QueryError) -> [QueryExpression] {
        guard values.count <= QueryLimits.list else {
            throw QueryError("A list of more than \(QueryLimits.list) expressions")
        }
        var result: [QueryExpression] = []
        for value in values { result.append(try expression(value)) }
        return result
    }

    private static let chains = ["+", "*", "||", "AND", "OR"]

    /// The parts of a chain, each inside the operators from it to the end.
    private func parts(ofChain values: [JSONValue]) throws(QueryError) -> [QueryExpression] {
        var result: [QueryExpression] = []
        for (index, value) in values.enumerated() {
            let around = chained + values.count - max(index, 1)
            guard around < QueryLimits.depth else { throw QueryError.tooDeep }
            result.append(try JSONExpressionReader(nesting: nesting, chained: around).expression(value))
        }
        return result
    }

    private func operation(_ name: String, arguments: [JSONValue]) throws(QueryError) -> QueryExpression {
        switch name.utf8.first {
        case UInt8(ascii: "."): return try property(name, more: arguments)
        case UInt8(ascii: "$"): return try parameter(name, more: arguments)
        case UInt8(ascii: "?"): return try property(Self.path(behindMark: name), more: arguments)
        default: break
        }
        if name.hasSuffix("()") { return try call(String(name.dropLast(2)), arguments: arguments) }
        if let expression = try special(name.uppercased(), arguments: arguments) { return expression }
        let isChain = Self.chains.contains(name.uppercased())
        return try simple(name, parts: isChain ? try parts(ofChain: arguments) : try expressions(arguments))
    }

    /// Operators whose operands are not only expressions; `nil` for all others.
    private func special(_ name: String, arguments: [JSONValue]) throws(QueryError) -> QueryExpression? {
        switch name {
        case "_.": return try nested(arguments)
        case "ANY", "SOME", "EVERY", "ANY AND EVERY": return try quantified(name, arguments: arguments)
        case "CASE": return try choice(arguments)
        case "COLLATE": return try collated(arguments)
        case "EXISTS":
            guard arguments.count == 1, case .array(let parts) = arguments[0], case .string("SELECT")? = parts.first
            else { throw wrongCount(name) }
            return .exists(try JSONQueryReader.statement(parts: parts, reader: self))
        case "SELECT": throw QueryError("SELECT inside an expression is not supported")
        default: return nil
        }
    }

    // MARK: Operators

    private func simple(_ name: String, parts: [QueryExpression]) throws(QueryError) -> QueryExpression {
        let operation = name.uppercased()
        switch operation {
        case "[]": return .array(parts)
        case "MISSING": return try counted(parts, count: 0, of: operation) { .missing }
        case "+", "*", "||", "AND", "OR": return try chain(operation, parts: parts)
        case "-" where parts.count == 1: return .unary(.negate, parts[0])
        case "-", "/", "%", "=", "!=", "<", "<=", ">", ">=", "IS", "IS NOT": return try binary(operation, parts: parts)
        case "NOT": return try counted(parts, count: 1, of: operation) { .unary(.not, parts[0]) }
        case "IS VALUED", "IS NOT VALUED":
            return try counted(parts, count: 1, of: operation) {
                .test(parts[0], .valued, isNegated: operation != "IS VALUED")
            }
        case "BETWEEN", "NOT BETWEEN":
            let isNegated = operation != "BETWEEN"
            return try counted(parts, count: 3, of: operation) {
                .between(parts[0], low: parts[1], high: parts[2], isNegated: isNegated)
            }
        case "IN", "NOT IN":
            return try counted(parts, count: 2, of: operation) {
                .among(parts[0], list: parts[1], isNegated: operation != "IN")
            }
        case "LIKE", "NOT LIKE":
            return try counted(parts, count: 2, of: operation) {
                .like(parts[0], pattern: parts[1], isNegated: operation != "LIKE")
            }
        default: throw QueryError("Unknown operator '\(name)'")
        }
    }

    private func counted(
        _ parts: [QueryExpression], count: Int, of name: String, make: () -> QueryExpression
    ) throws(QueryError) -> QueryExpression {
        guard parts.count == count else { throw wrongCount(name) }
        return make()
    }

    private func binary(_ name: String, parts: [QueryExpression]) throws(QueryError) -> QueryExpression {
        guard parts.count == 2, let operation = BinaryOperator(rawValue: name) else { throw wrongCount(name) }
        if case .missing = parts[1], operation == .same || operation == .notSame {
            return .test(parts[0], .missing, isNegated: operation == .notSame)
        }
        return .binary(operation, parts[0], parts[1])
    }

    private func chain(
        _ name: String, parts: [QueryExpression]
    ) throws(QueryError) -> QueryExpression {
        guard let operation = BinaryOperator(rawValue: name), parts.count >= 2 else { throw wrongCount(name) }
        return parts.dropFirst().reduce(parts[0]) { .binary(operation, $0, $1) }
    }

    private func wrongCount(_ name: String) -> QueryError { QueryError("Wrong number of arguments to \(name)") }
}

extension JSONExpressionReader {
    // MARK: Paths

    /// `[".a.b[0]"]`, `[".", "a", "b"]`; `["."]` is the whole document.
    private func path(_ name: String, more: [JSONValue] = []) throws(QueryError) -> QueryPath {
        guard var path = name == "." ? QueryPath() : QueryPath(parsing: name) else {
            throw QueryError("Invalid property path '\(name)'")
        }
        for part in more {
            switch part {
            case .string(let key): path.steps.append(.key(Name(key)))
            case .number(let number): path.steps.append(.index(Int(number.int64 ?? .max)))
            case .null, .bool, .array, .object: throw QueryError("Invalid property path component \(part)")
            }
        }
        return path
    }

    private func property(_ name: String, more: [JSONValue]) throws(QueryError) -> QueryExpression {
        let path = try path(name, more: name == "." || name == ".?" ? more : [])
        return path.steps.isEmpty ? .all(alias: nil) : .property(path)
    }

    /// With a point in place of the first byte.
    private static func path(behindMark name: String) -> String { "." + Substring(name.utf8.dropFirst()) }

    private func parameter(_ name: String, more: [JSONValue]) throws(QueryError) -> QueryExpression {
        let path = try path(Self.path(behindMark: name), more: name == "$" ? more : [])
        guard let parameter = path.firstKey, QueryWriter.isParameter(parameter) else {
            throw QueryError("Invalid query parameter name '\(path.firstKey ?? "")'")
        }
        let inner = path.dropFirst()
        return inner.steps.isEmpty ? .parameter(parameter) : .nested(.parameter(parameter), inner)
    }

    /// `["_.", value, ".path"]`; of META a key.
    private func nested(_ arguments: [JSONValue]) throws(QueryError) -> QueryExpression {
        guard arguments.count == 2, let text = arguments[1].stringValue else { throw wrongCount("_.") }
        let value = try expression(arguments[0])
        let path = try path(text)
        if case .meta(let alias, nil) = value, path.steps.count == 1 { return .meta(alias: alias, key: path.firstKey) }
        return .nested(value, path)
    }

    // MARK: ANY, CASE, COLLATE

    private func quantified(_ name: String, arguments: [JSONValue]) throws(QueryError) -> QueryExpression {
        guard arguments.count == 3, let variable = arguments[0].stringValue else { throw wrongCount(name) }
        let quantifier = Quantifier(rawValue: name) ?? .any
        return .quantified(
            quantifier, variable: variable, list: try expression(arguments[1]),
            condition: try expression(arguments[2]))
    }

    /// The subject or null, then conditions and results in turn, then perhaps the result of ELSE.
    private func choice(_ arguments: [JSONValue]) throws(QueryError) -> QueryExpression {
        guard arguments.count >= 3 else { throw wrongCount("CASE") }
        let subject: QueryExpression?
        if case .null = arguments[0] { subject = nil } else { subject = try expression(arguments[0]) }
        var rest = try expressions(Array(arguments.dropFirst()))[...]
        var branches: [ChoiceBranch] = []
        while rest.count >= 2 {
            let condition = rest.removeFirst()
            branches.append(ChoiceBranch(condition: condition, result: rest.removeFirst()))
        }
        return .choice(subject: subject, branches: branches, otherwise: rest.first)
    }

    private func collated(_ arguments: [JSONValue]) throws(QueryError) -> QueryExpression {
        guard arguments.count == 2, case .object(let options) = arguments[0] else { throw wrongCount("COLLATE") }
        let locale = options["LOCALE"]?.stringValue
        if let locale, !QueryWriter.isParameter(locale) { throw QueryError("Unknown collation '\(locale)'") }
        let collation = QueryCollation(
            isUnicode: options["UNICODE"]?.boolValue ?? false, ignoresCase: options["CASE"]?.boolValue == false,
            ignoresAccents: options["DIAC"]?.boolValue == false, locale: locale)
        return .collated(collation, try expression(arguments[1]))
    }

    // MARK: Calls

    private func call(_ name: String, arguments: [JSONValue]) throws(QueryError) -> QueryExpression {
        let function = name.uppercased()
        switch function {
        case "META":
            guard arguments.count <= 1 else { throw wrongCount("META()") }
            return .meta(
                alias: try arguments.first.map { (value) throws(QueryError) in try aliasName(value) }, key: nil)
        case "MATCH":
            guard arguments.count == 2 else { throw wrongCount("MATCH()") }
            return .match(index: try indexName(arguments[0]), text: try expression(arguments[1]))
        case "RANK":
            guard arguments.count == 1 else { throw wrongCount("RANK()") }
            return .rank(index: try indexName(arguments[0]))
        case "ARRAY_OF": return .array(try expressions(arguments))
        default: break
        }
        guard FunctionCatalog.isKnown(function) else {
            throw QueryError("Unknown function '\(name)'", advice: FunctionCatalog.advice(onUnknown: function))
        }
        let isOfAll = FunctionCatalog.isAggregate(function) && arguments == [.string("*")]
        return try FunctionCatalog.call(function, arguments: isOfAll ? [.all(alias: nil)] : try expressions(arguments))
    }

    private func aliasName(_ value: JSONValue) throws(QueryError) -> String {
        guard let text = value.stringValue else { throw QueryError("META() takes the name of a source") }
        return text.droppingExactPrefix(".") ?? text
    }

    private func indexName(_ value: JSONValue) throws(QueryError) -> QueryPath {
        guard let path = value.stringValue.flatMap({ QueryPath(parsing: $0) }) else {
            throw QueryError("An index is called by its name")
        }
        return path
    }
}
