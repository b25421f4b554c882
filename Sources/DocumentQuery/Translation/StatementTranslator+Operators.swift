import DocumentValues

extension StatementTranslator {
    mutating func binary(
        _ operation: BinaryOperator, left: QueryExpression, right: QueryExpression, whole: QueryExpression
    ) throws -> SQLPiece {
        if operation == .concatenate { return SQLPiece(concatenation(try parts(whole.concatenated))) }
        let strength = operation.strength
        let strengthOfRight = operation.isAssociative ? strength : strength.next
        guard operation.isComparison else {
            let first = try piece(left).text(atLeast: strength)
            let second = try piece(right).text(atLeast: strengthOfRight)
            return SQLPiece("\(first) \(operation.rawValue) \(second)", strength: strength)
        }
        let first = try comparedPiece(left, with: [right]).text(atLeast: strength)
        let second = try comparedPiece(right, with: [left]).text(atLeast: strengthOfRight)
        return SQLPiece("\(first) \(operation.rawValue) \(second)", strength: strength)
    }

    /// SQLite's functions take some hundred arguments at the most.
    private func concatenation(_ parts: [String]) -> String {
        let size = QueryLimits.arguments
        guard parts.count > size else { return "fb_concat(\(parts.joined(separator: ", ")))" }
        return concatenation(
            stride(from: 0, to: parts.count, by: size).map {
                concatenation(Array(parts[$0..<min($0 + size, parts.count)]))
            })
    }

    /// One side of a comparison, for use in any position.
    mutating func compared(_ value: QueryExpression, with others: [QueryExpression]) throws -> String {
        try comparedPiece(value, with: others).whole
    }

    /// A column of SQL that is compared with a value of perhaps another type gets a `+`, which takes its type away:
    /// otherwise SQLite would convert the value. Others get none, because with a `+` SQLite does not use an index.
    private mutating func comparedPiece(
        _ value: QueryExpression, with others: [QueryExpression]
    ) throws -> SQLPiece {
        let piece = try piece(value)
        guard let type = columnType(value), !others.allSatisfy({ $0.literalType == type || columnType($0) == type })
        else { return piece }
        return SQLPiece("+\(piece.whole)")
    }

    /// The type of an expression that is a column of SQL, by its own name or by the alias of a column of the query.
    func columnType(_ expression: QueryExpression) -> QueryExpression.ColumnType? {
        if case .collated(_, let inner) = expression { return columnType(inner) }
        return meaning(of: expression)?.columnType ?? expression.columnType
    }

    mutating func between(
        _ value: QueryExpression, low: QueryExpression, high: QueryExpression, isNegated: Bool,
        collation: QueryCollation? = nil
    ) throws -> String {
        let compared = try self.compared(value, with: [low, high])
        let ends = try [low, high].map { end in
            let sql = try self.compared(end, with: [value])
            return collation.map { "(\(sql) COLLATE \($0.sqlName))" } ?? sql
        }
        return "(\(compared) \(isNegated ? "NOT " : "")BETWEEN \(ends[0]) AND \(ends[1]))"
    }

    mutating func among(
        _ value: QueryExpression, list: QueryExpression, isNegated: Bool, collation: QueryCollation? = nil
    ) throws -> SQLPiece {
        let collation = value.collation ?? collation
        guard case .array(let elements) = list else {
            return SQLPiece("fb_among(\(try folded(value, by: collation)), \(try folded(list, by: collation)))")
                .negated(isNegated)
        }
        guard !elements.isEmpty else {
            // Translated even if it is not used, so that its parameters are known.
            _ = try inner(value)
            return SQLPiece("x''").negated(isNegated)
        }
        let operation = isNegated ? "NOT IN" : "IN"
        // SQLite compares as the value says, whatever the elements say.
        var compared = try self.compared(value, with: elements)
        if value.collation == nil, let collation { compared = "(\(compared) COLLATE \(collation.sqlName))" }
        return SQLPiece("(\(compared) \(operation) (\(try self.list(elements))))")
    }

    /// - Parameter mayFail: whether the pattern may take too long.
    mutating func like(
        _ value: QueryExpression, pattern: QueryExpression, isNegated: Bool, mayFail: Bool,
        collation: QueryCollation? = nil
    ) throws -> SQLPiece {
        let name = target.isIndex && mayFail ? FunctionSpelling.indexed("like") : "fb_like"
        let collation = value.collation ?? collation
        return SQLPiece("\(name)(\(try folded(value, by: collation)), \(try folded(pattern, by: collation)))")
            .negated(isNegated)
    }

    /// The argument of a function that compares texts by their bytes.
    private mutating func folded(_ value: QueryExpression, by collation: QueryCollation?) throws -> String {
        let sql = try inner(value)
        guard let collation, collation.isUnicode || collation.ignoresCase else { return sql }
        return "fb_folded(\(sql), '\(collation.sqlName)')"
    }

    mutating func test(_ value: QueryExpression, test: ValueTest, isNegated: Bool) throws -> String {
        let sql = try columnType(value) == nil ? sql(value) : "+\(sql(value))"
        switch test {
        case .missing: return "(\(sql) IS \(isNegated ? "NOT " : "")NULL)"
        case .null: return "(\(sql) \(isNegated ? "!=" : "=") x'')"
        case .valued: return isNegated ? "ifnull(\(sql) = x'', 1)" : "ifnull(\(sql) != x'', 0)"
        }
    }

    /// The cases of a CASE behind ELSE are written into the same one: nested in each other they would soon be too deep.
    mutating func choice(
        _ subject: QueryExpression?, branches: [ChoiceBranch], otherwise: QueryExpression?
    ) throws -> String {
        var (branches, otherwise) = (branches, otherwise)
        while subject == nil, case .choice(nil, let more, let last)? = otherwise {
            branches += more
            otherwise = last
        }
        var result = "CASE"
        if let subject { result += " +\(try sql(subject))" }
        for branch in branches {
            let condition = try subject == nil ? inner(branch.condition) : "+\(sql(branch.condition))"
            result += " WHEN \(condition) THEN \(try inner(branch.result))"
        }
        return "\(result) ELSE \(try otherwise.map { try inner($0) } ?? "x''") END"
    }

    /// The collation is that of the comparisons in the expression, or of the expression itself if it is a value.
    mutating func collated(_ collation: QueryCollation, inner: QueryExpression) throws -> String {
        switch inner {
        case .binary(.and, _, _), .binary(.or, _, _), .unary(.not, _): return try sql(inner.comparing(by: collation))
        case .binary(let operation, let left, let right) where operation.isComparison:
            let (first, second) = (try compared(left, with: [right]), try compared(right, with: [left]))
            return "(\(first) \(operation.rawValue) (\(second) COLLATE \(collation.sqlName)))"
        case .between(let value, let low, let high, let isNegated):
            return try between(value, low: low, high: high, isNegated: isNegated, collation: collation)
        case .among(let value, let list, let isNegated):
            return try among(value, list: list, isNegated: isNegated, collation: collation).whole
        case .like(let value, let pattern, let isNegated):
            return try like(
                value, pattern: pattern, isNegated: isNegated, mayFail: inner.mayFail, collation: collation
            ).whole
        default: return "(\(try sql(inner)) COLLATE \(collation.sqlName))"
        }
    }
}

extension SQLPiece {
    func negated(_ isNegated: Bool) -> SQLPiece {
        isNegated ? SQLPiece("NOT \(text(atLeast: .not))", strength: .not) : self
    }
}

extension QueryExpression {
    enum ColumnType { case text, integer }

    /// The type of a column of SQL, which SQLite would give to the other side of a comparison.
    var columnType: ColumnType? {
        switch self {
        case .meta(_, "id"), .meta(_, "revisionID"): .text
        case .meta(_, "sequence"): .integer
        case .property(let path):
            path.lastKey == "_id" ? .text : path.lastKey == "_sequence" ? .integer : nil
        case .collated(_, let inner): inner.columnType
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

    /// The collation of a value; `nil` if it has none.
    fileprivate var collation: QueryCollation? {
        if case .collated(let collation, _) = self { collation } else { nil }
    }

    /// The expression with the collation at each operand of AND, OR and NOT.
    fileprivate func comparing(by collation: QueryCollation) -> QueryExpression {
        switch self {
        case .binary(let operation, let left, let right) where operation == .and || operation == .or:
            .binary(operation, left.comparing(by: collation), right.comparing(by: collation))
        case .unary(.not, let operand): .unary(.not, operand.comparing(by: collation))
        default: .collated(collation, self)
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

    /// The operands of `||`, in their order.
    fileprivate var concatenated: [QueryExpression] {
        var (parts, rest) = ([QueryExpression](), [self])
        while let next = rest.popLast() {
            switch next {
            case .binary(.concatenate, let left, let right): rest += [right, left]
            default: parts.append(next)
            }
        }
        return parts
    }
}
