import DocumentValues

extension StatementTranslator {
    mutating func sql(_ expression: QueryExpression) throws -> String {
        guard depth < QueryLimits.depth else {
            throw QueryError("The query has more than \(QueryLimits.depth) expressions inside each other")
        }
        depth += 1
        defer { depth -= 1 }
        return try translated(expression)
    }

    /// A condition at the top: its parts that AND joins may be full-text searches.
    mutating func sqlOfCondition(_ expression: QueryExpression) throws -> String {
        if case .binary(.and, let left, let right) = expression {
            guard depth < QueryLimits.depth else {
                throw QueryError("The query has more than \(QueryLimits.depth) expressions inside each other")
            }
            depth += 1
            defer { depth -= 1 }
            return "\(try sqlOfCondition(left)) AND \(try sqlOfCondition(right))"
        }
        if case .match(let index, let text) = expression, scope.allowsMatch { return try match(index, text: text) }
        if case .binary(.equal, let left, let right) = expression, let search = try identity(left, equals: right) {
            return search
        }
        return "(\(try sql(expression)))"
    }

    /// A document's id that is looked for by what may be no text: SQLite would make one of it.
    private mutating func identity(_ left: QueryExpression, equals right: QueryExpression) throws -> String? {
        for (id, other) in [(left, right), (right, left)] {
            guard case .meta(let alias, "id") = id, case .property = other else { continue }
            let source = try metaSource(alias)
            guard source.isCollection else { continue }
            return "\(source.table).id = fb_text(\(try sql(other)))"
        }
        return nil
    }

    private mutating func translated(_ expression: QueryExpression) throws -> String {
        switch expression {
        case .missing: return "NULL"
        case .literal(let value): return try literal(value)
        case .property(let path): return try property(path)
        case .parameter(let name): return try parameter(name)
        case .variable(let name, let path):
            guard let table = scope.variables[Name(name)] else { throw QueryError("Undefined variable '\(name)'") }
            return valueInside("\(table).value", path: path)
        case .array(let elements): return try container("fb_array", parts: try parts(elements), size: 100)
        case .object(let members):
            let values = try parts(members.map(\.value))
            return try container(
                "fb_object", parts: zip(members, values).map { "\(SQLText.quoted($0.key)), \($1)" }, size: 50)
        case .nested(let value, let path): return valueInside(try sql(value), path: path)
        case .unary(.negate, let operand): return "(- \(try sql(operand)))"
        case .unary(.not, let operand): return "(NOT \(try sql(operand)))"
        case .binary(let operation, let left, let right): return try binary(operation, left: left, right: right)
        case .between(let value, let low, let high, let isNegated):
            return "(\(try operand(value, beside: [low, high])) \(isNegated ? "NOT " : "")BETWEEN "
                + "\(try sql(low)) AND \(try sql(high)))"
        case .among(let value, let list, let isNegated): return try among(value, list: list, isNegated: isNegated)
        case .like(let value, let pattern, let isNegated):
            return "(\(isNegated ? "NOT " : "")fb_like(\(try sql(value)), \(try sql(pattern))))"
        case .test(let value, let test, let isNegated): return try self.test(value, test: test, isNegated: isNegated)
        case .quantified(let quantifier, let variable, let list, let condition):
            return try quantified(quantifier, variable: variable, list: list, condition: condition)
        case .choice(let subject, let branches, let otherwise):
            return try choice(subject, branches: branches, otherwise: otherwise)
        case .call(let name, let arguments):
            return "fb_\(name.lowercased())(\(try parts(arguments).joined(separator: ", ")))"
        case .aggregate(let name, let arguments, let isDistinct):
            return try aggregate(name, arguments: arguments, isDistinct: isDistinct)
        case .meta(let alias, let key): return try meta(alias, key: key)
        case .all(let alias): return "fb_part(\(try body(of: alias)), '')"
        case .collated(let collation, let inner): return try collated(collation, inner: inner)
        case .match: throw QueryError("MATCH can only appear at top-level, or in a top-level AND")
        case .rank(let index): return try rank(index)
        case .exists(let statement):
            return "(EXISTS (\(try select(statement).sql)))"
        }
    }

    private mutating func list(_ expressions: [QueryExpression]) throws -> String {
        guard expressions.count <= QueryLimits.list else {
            throw QueryError("A list of more than \(QueryLimits.list) expressions")
        }
        return try expressions.map { try sql($0) }.joined(separator: ", ")
    }

    /// What goes into a function or a container, booleans as such.
    mutating func parts(_ expressions: [QueryExpression]) throws -> [String] {
        guard expressions.count <= QueryLimits.list else {
            throw QueryError("A list of more than \(QueryLimits.list) expressions")
        }
        let outside = keepsBooleans
        keepsBooleans = true
        defer { keepsBooleans = outside }
        return try expressions.map { try sql($0) }
    }

    /// SQLite's functions take some hundred arguments at the most: the parts of a large container are made one by one.
    private func container(_ function: String, parts: [String], size: Int) throws -> String {
        guard parts.count > size else { return "\(function)(\(parts.joined(separator: ", ")))" }
        guard parts.count <= size * size else { throw QueryError("A list of more than \(size * size) expressions") }
        let pieces = stride(from: 0, to: parts.count, by: size).map {
            "\(function)(\(parts[$0..<min($0 + size, parts.count)].joined(separator: ", ")))"
        }
        return "fb_joined(\(pieces.joined(separator: ", ")))"
    }

    private mutating func literal(_ value: JSONValue) throws -> String {
        switch value {
        case .null: return "x''"
        case .bool(let bool): return "fb_boolean(\(bool ? 1 : 0))"
        case .number(let number): return SQLText.number(number)
        case .string(let text): return SQLText.quoted(text)
        case .array, .object: return SQLText.blob(QueryValue(value).containerBytes)
        }
    }

    func valueInside(_ sql: String, path: QueryPath) -> String {
        path.steps.isEmpty ? sql : "fb_nested(\(sql), \(SQLText.quoted(path.text)))"
    }

    // MARK: Operators

    private mutating func binary(
        _ operation: BinaryOperator, left: QueryExpression, right: QueryExpression
    ) throws -> String {
        if operation == .concatenate { return "fb_concat(\(try parts([left, right]).joined(separator: ", ")))" }
        guard operation.isComparison else { return "(\(try sql(left)) \(operation.rawValue) \(try sql(right)))" }
        return "(\(try operand(left, beside: [right])) \(operation.rawValue) \(try operand(right, beside: [left])))"
    }

    /// A column of SQL beside what may be of another type is taken for a value without a type, or SQLite would make the
    /// other one fit. Nothing else is: of what has a `+` SQLite uses no index.
    private mutating func operand(_ value: QueryExpression, beside others: [QueryExpression]) throws -> String {
        let sql = try sql(value)
        guard let type = columnType(value), !others.allSatisfy({ $0.literalType == type || columnType($0) == type })
        else { return sql }
        return "+\(sql)"
    }

    /// Of what is a column of SQL, by its own name or as a column of the query by its alias.
    private func columnType(_ expression: QueryExpression) -> QueryExpression.ColumnType? {
        guard scope.seesAliases, case .property(let path) = expression, path.steps.count == 1,
            let name = path.firstKey, scope.variables[Name(name)] == nil, let meant = scope.aliases[Name(name)]
        else { return expression.columnType }
        return meant.columnType
    }

    private mutating func among(
        _ value: QueryExpression, list: QueryExpression, isNegated: Bool
    ) throws -> String {
        guard case .array(let elements) = list else {
            return "(\(isNegated ? "NOT " : "")fb_among(\(try sql(value)), \(try sql(list))))"
        }
        guard !elements.isEmpty else { return isNegated ? "(NOT x'')" : "x''" }
        return "(\(try operand(value, beside: elements)) \(isNegated ? "NOT " : "")IN (\(try self.list(elements))))"
    }

    private mutating func test(_ value: QueryExpression, test: ValueTest, isNegated: Bool) throws -> String {
        let sql = try columnType(value) == nil ? sql(value) : "+\(sql(value))"
        switch test {
        case .missing: return "(\(sql) IS \(isNegated ? "NOT " : "")NULL)"
        case .null: return "(\(sql) \(isNegated ? "!=" : "=") x'')"
        case .valued: return isNegated ? "ifnull(\(sql) = x'', 1)" : "ifnull(\(sql) != x'', 0)"
        }
    }

    private mutating func choice(
        _ subject: QueryExpression?, branches: [ChoiceBranch], otherwise: QueryExpression?
    ) throws -> String {
        var result = "CASE"
        if let subject { result += " +\(try sql(subject))" }
        for branch in branches {
            result += " WHEN \(subject == nil ? "" : "+")\(try sql(branch.condition)) THEN \(try sql(branch.result))"
        }
        return "(\(result) ELSE \(try otherwise.map { try sql($0) } ?? "x''") END)"
    }

    private mutating func collated(_ collation: QueryCollation, inner: QueryExpression) throws -> String {
        if case .binary(let operation, let left, let right) = inner, operation.isComparison {
            let (first, second) = (try operand(left, beside: [right]), try operand(right, beside: [left]))
            return "(\(first) \(operation.rawValue) (\(second) COLLATE \(collation.sqlName)))"
        }
        return "(\(try sql(inner)) COLLATE \(collation.sqlName))"
    }

    private mutating func aggregate(
        _ name: String, arguments: [QueryExpression], isDistinct: Bool
    ) throws -> String {
        guard scope.allowsAggregates else {
            throw QueryError("Cannot use aggregate function \(name)() in this context")
        }
        scope.allowsAggregates = false
        let outside = keepsBooleans
        // SQLite would take what these return from an index, where a boolean is a number.
        keepsBooleans = name == "MAX" || name == "MIN"
        defer {
            scope.allowsAggregates = true
            keepsBooleans = outside
        }
        if name == "COUNT" {
            guard let argument = arguments.first else { return "count(*)" }
            if case .all(nil) = argument { return "count(*)" }
        }
        let function = name == "ARRAY_AGG" ? "fb_array_agg" : name.lowercased()
        return "\(function)(\(isDistinct ? "DISTINCT " : "")\(try list(arguments)))"
    }

    // MARK: ANY and EVERY

    private mutating func quantified(
        _ quantifier: Quantifier, variable: String, list: QueryExpression, condition: QueryExpression
    ) throws -> String {
        guard usedVariables.insert(Name(variable)).inserted else {
            throw QueryError("Variable '\(variable)' is already in use")
        }
        let list = try translatedList(list)
        let elements = list.arguments
        if quantifier == .any, condition.isEquality(with: variable),
            case .binary(_, _, let wanted) = condition
        {
            return "fb_any_equal(\(elements), \(try sql(wanted)))"
        }
        let table = "v\(variableCount)"
        variableCount += 1
        let outer = scope.variables
        scope.variables[Name(variable)] = table
        let test = try sql(condition)
        scope.variables = outer
        let from = "SELECT 1 FROM fb_each(\(elements)) AS \(table) WHERE"
        switch quantifier {
        case .any: return "(EXISTS (\(from) \(test)))"
        case .every: return "(NOT EXISTS (\(from) NOT (\(test))))"
        // Of what is no list there are no elements here.
        case .anyAndEvery: return "(ifnull(\(list.count), 0) > 0 AND NOT EXISTS (\(from) NOT (\(test))))"
        }
    }

    mutating func translatedList(_ list: QueryExpression) throws -> TranslatedList {
        if case .property(let path) = list, let (document, inner) = document(of: path) {
            return TranslatedList(value: document, path: SQLText.quoted(inner.text))
        }
        return TranslatedList(value: try sql(list), path: nil)
    }
}

/// A list that is gone through: a value, or what a document has at a path.
struct TranslatedList {
    fileprivate let value: String
    fileprivate let path: String?

    /// Those of `fb_each`.
    var arguments: String { "\(value), \(path ?? "NULL")" }

    fileprivate var count: String {
        "fb_array_count(\(path.map { "fb_part(\(value), \($0))" } ?? value))"
    }
}

extension QueryExpression {
    enum ColumnType { case text, integer }

    /// Of what is a column of SQL, whose type SQLite would give to the other side of a comparison.
    var columnType: ColumnType? {
        switch self {
        case .meta(_, "id"), .meta(_, "revisionID"): .text
        case .meta(_, "sequence"): .integer
        case .property(let path):
            path.lastKey == "_id" ? .text : path.lastKey == "_sequence" ? .integer : nil
        default: nil
        }
    }

    var literalType: ColumnType? {
        switch self {
        case .literal(.string): .text
        case .literal(.number): .integer
        default: nil
        }
    }

    /// Whether the name is used anywhere inside.
    func uses(_ variable: String) -> Bool {
        switch self {
        case .property(let path): path.firstKey?.isExactly(variable) == true
        case .variable(let name, _): name.isExactly(variable)
        default: children.contains { $0.uses(variable) }
        }
    }
}
