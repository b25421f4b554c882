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

    mutating func among(
        _ value: QueryExpression, list: QueryExpression, isNegated: Bool
    ) throws -> SQLPiece {
        guard case .array(let elements) = list else {
            return SQLPiece("fb_among(\(try inner(value)), \(try inner(list)))").negated(isNegated)
        }
        guard !elements.isEmpty else {
            // Translated even if it is not used, so that its parameters are known.
            _ = try inner(value)
            return SQLPiece("x''").negated(isNegated)
        }
        let operation = isNegated ? "NOT IN" : "IN"
        return SQLPiece("(\(try compared(value, with: elements)) \(operation) (\(try self.list(elements))))")
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

    mutating func collated(_ collation: QueryCollation, inner: QueryExpression) throws -> String {
        if case .binary(let operation, let left, let right) = inner, operation.isComparison {
            let (first, second) = (try compared(left, with: [right]), try compared(right, with: [left]))
            return "(\(first) \(operation.rawValue) (\(second) COLLATE \(collation.sqlName)))"
        }
        return "(\(try sql(inner)) COLLATE \(collation.sqlName))"
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
