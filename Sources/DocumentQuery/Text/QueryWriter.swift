import DocumentValues

/// Writes a query as text, so that `QueryParser` reads the same query: in this form queries of the builder are stored
/// and shown.
package enum QueryWriter {
    package static func text(_ statement: SelectStatement) -> String {
        var clauses = ["SELECT" + (statement.isDistinct ? " DISTINCT" : "")]
        clauses.append(statement.columns.map(column).joined(separator: ", "))
        for source in statement.sources { clauses.append(text(source)) }
        if let condition = statement.condition { clauses.append("WHERE \(text(condition))") }
        if !statement.grouping.isEmpty {
            clauses.append("GROUP BY " + statement.grouping.map(text).joined(separator: ", "))
        }
        if let condition = statement.groupCondition { clauses.append("HAVING \(text(condition))") }
        if !statement.order.isEmpty {
            clauses.append("ORDER BY " + statement.order.map(term).joined(separator: ", "))
        }
        if let limit = statement.limit { clauses.append("LIMIT \(text(limit))") }
        if let offset = statement.offset { clauses.append("OFFSET \(text(offset))") }
        return clauses.joined(separator: " ")
    }

    private static func column(_ column: ResultColumn) -> String {
        text(column.expression) + (column.alias.map { " AS \(name($0))" } ?? "")
    }

    private static func term(_ term: OrderTerm) -> String {
        text(term.expression) + (term.isDescending ? " DESC" : "")
    }

    private static func text(_ source: QuerySource) -> String {
        let keyword =
            switch source.joining {
            case .first: "FROM"
            case .inner: "JOIN"
            case .left: "LEFT OUTER JOIN"
            case .cross: "CROSS JOIN"
            case .unnest: "UNNEST"
            }
        let content =
            switch source.content {
            case .collection(let parts): parts.map(name).joined(separator: ".")
            case .elements(let list): text(list)
            }
        let alias = source.alias.map { " AS \(name($0))" } ?? ""
        let condition = source.condition.map { " ON \(text($0))" } ?? ""
        return "\(keyword) \(content)\(alias)\(condition)"
    }

    /// Whether a text can be the name of a parameter.
    package static func isParameter(_ text: String) -> Bool {
        let cursor = QueryCursor(text)
        return cursor.wordEnd() == cursor.bytes.count
    }

    // MARK: Expressions

    package static func text(_ expression: QueryExpression) -> String {
        switch expression {
        case .missing: return "MISSING"
        case .literal(let value): return text(value)
        case .property(let path): return text(path)
        case .parameter(let name): return "$\(name)"
        case .variable(let variable, let path): return text(QueryPath([.key(Name(variable))] + path.steps))
        case .array(let elements): return "[\(list(elements))]"
        case .object(let members):
            return "{" + members.map { "\(quoted($0.key)): \(text($0.value))" }.joined(separator: ", ") + "}"
        case .nested(let value, let path): return path.steps.isEmpty ? text(value) : text(value) + inner(path)
        case .unary(let operation, let operand): return "(\(operation.rawValue) \(text(operand)))"
        case .binary(let operation, _, _) where operation == .and || operation == .or:
            return chain(parts(of: expression, joinedBy: operation), joinedBy: operation)
        case .binary(let operation, let left, let right):
            return "(\(text(left)) \(operation.rawValue) \(operand(right, of: operation)))"
        case .between(let value, let low, let high, let isNegated):
            return "(\(text(value)) \(not(isNegated))BETWEEN \(text(low)) AND \(text(high)))"
        case .among(let value, let elements, let isNegated):
            return "(\(text(value)) \(not(isNegated))IN \(list(behindIn: elements)))"
        case .like(let value, let pattern, let isNegated):
            return "(\(text(value)) \(not(isNegated))LIKE \(text(pattern)))"
        case .test(let value, let test, let isNegated):
            return "(\(text(value)) IS \(not(isNegated))\(test.rawValue))"
        case .quantified(let quantifier, let variable, let elements, let condition):
            return "(\(quantifier.rawValue) \(name(variable)) IN \(text(elements)) SATISFIES \(text(condition)) END)"
        case .choice(let subject, let branches, let otherwise):
            return choice(subject, branches: branches, otherwise: otherwise)
        case .call(let function, let arguments): return "\(function)(\(list(arguments)))"
        case .aggregate(let function, let arguments, let isDistinct):
            return "\(function)(\(isDistinct ? "DISTINCT " : "")\(arguments.isEmpty ? "*" : list(arguments)))"
        case .meta(let alias, let key):
            return "META(\(alias.map(name) ?? ""))" + (key.map { ".\(name($0))" } ?? "")
        case .all(let alias): return alias.map { "\(name($0)).*" } ?? "*"
        case .collated(let collation, let inner): return "(\(text(inner)) COLLATE (\(text(of: collation))))"
        case .match(let index, let terms): return "MATCH(\(text(index)), \(text(terms)))"
        case .rank(let index): return "RANK(\(text(index)))"
        case .exists(let statement): return "EXISTS (\(text(statement)))"
        }
    }

    private static func list(_ expressions: [QueryExpression]) -> String {
        expressions.map(text).joined(separator: ", ")
    }

    private static func chain(_ operands: [QueryExpression], joinedBy operation: BinaryOperator) -> String {
        "(" + operands.map(text).joined(separator: " \(operation.rawValue) ") + ")"
    }

    /// The operands of a chain: with parentheses around each pair, a long chain would be nested too deep to be read.
    private static func parts(
        of expression: QueryExpression, joinedBy operation: BinaryOperator
    ) -> [QueryExpression] {
        var parts: [QueryExpression] = []
        var rest = expression
        while case .binary(operation, let left, let right) = rest {
            parts.append(right)
            rest = left
        }
        return parts.reversed().reduce(into: [rest]) { $0.append($1) }
    }

    /// `IS (NULL)` is a comparison, while `IS NULL` is a test with another result for MISSING.
    private static func operand(_ right: QueryExpression, of operation: BinaryOperator) -> String {
        switch (operation, right) {
        case (.same, .literal(.null)), (.notSame, .literal(.null)), (.same, .missing), (.notSame, .missing):
            "(\(text(right)))"
        default: text(right)
        }
    }

    /// Behind IN a parenthesis begins a list. An expression that begins with one is written without it, or as the member
    /// of an object.
    private static func list(behindIn list: QueryExpression) -> String {
        let whole = text(list)
        guard whole.hasPrefix("(") else { return whole }
        if list.isTerm {
            let inner = whole.dropFirst().dropLast()
            if !inner.hasPrefix("(") { return String(inner) }
        }
        guard case .nested(let value, let path) = list else { return "{'list': \(whole)}.list" }
        return "{'list': \(text(value))}.list\(inner(path))"
    }

    private static func not(_ isNegated: Bool) -> String { isNegated ? "NOT " : "" }

    private static func choice(
        _ subject: QueryExpression?, branches: [ChoiceBranch], otherwise: QueryExpression?
    ) -> String {
        var tokens = ["CASE"]
        if let subject { tokens.append(text(subject)) }
        for branch in branches { tokens.append("WHEN \(text(branch.condition)) THEN \(text(branch.result))") }
        if let otherwise { tokens.append("ELSE \(text(otherwise))") }
        return "(" + (tokens + ["END"]).joined(separator: " ") + ")"
    }

    private static func text(of collation: QueryCollation) -> String {
        let unicode = collation.isUnicode ? "UNICODE" + (collation.locale.map { ":\($0)" } ?? "") : "NOUNICODE"
        return [unicode, collation.ignoresCase ? "NOCASE" : "CASE", collation.ignoresAccents ? "NODIAC" : "DIAC"]
            .joined(separator: " ")
    }

    // MARK: Names and values

    private static func text(_ path: QueryPath) -> String { String(Substring(inner(path).utf8.dropFirst())) }

    /// With a point in front of the first name.
    private static func inner(_ path: QueryPath) -> String {
        path.steps.map { step in
            switch step {
            case .key(let key): ".\(name(key.text))"
            case .index(let index): "[\(index)]"
            }
        }
        .joined()
    }

    /// In back-ticks where it could be taken for anything else.
    private static func name(_ name: String) -> String {
        if QueryCursor.isPlainName(name) { return name }
        return delimited(name, mark: UInt8(ascii: "`"))
    }

    private static func quoted(_ text: String) -> String { delimited(text, mark: UInt8(ascii: "'")) }

    private static func delimited(_ text: String, mark: UInt8) -> String {
        var bytes = [mark]
        for byte in text.utf8 {
            if byte == mark { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(mark)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "NULL"
        case .bool(let bool): bool ? "TRUE" : "FALSE"
        case .number(let number): number.text
        case .string(let text): quoted(text)
        case .array(let elements): "[" + elements.map(text).joined(separator: ", ") + "]"
        case .object(let object):
            "{" + object.members.map { "\(quoted($0.key)): \(text($0.value))" }.joined(separator: ", ") + "}"
        }
    }
}

extension QueryExpression {
    /// Whether a term needs no parentheses around it.
    fileprivate var isTerm: Bool {
        switch self {
        case .binary(let operation, _, _): !operation.isComparison && operation != .and && operation != .or
        case .unary(let operation, _): operation == .negate
        case .choice: true
        default: false
        }
    }
}
