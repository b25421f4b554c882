import DocumentValues

extension QueryParser {
    mutating func readExpression() throws(QueryError) -> QueryExpression {
        try nested { parser throws(QueryError) in try parser.readDisjunction() }
    }

    private mutating func readDisjunction() throws(QueryError) -> QueryExpression {
        let around = beginChain()
        var left = try readConjunction()
        while cursor.take(word: "OR") { left = try joined(left, with: try readConjunction(), by: .or) }
        endChain(around)
        return left
    }

    private mutating func readConjunction() throws(QueryError) -> QueryExpression {
        let around = beginChain()
        var left = try readNegation()
        while cursor.take(word: "AND") { left = try joined(left, with: try readNegation(), by: .and) }
        endChain(around)
        return left
    }

    private mutating func joined(
        _ left: QueryExpression, with right: QueryExpression, by operation: BinaryOperator
    ) throws(QueryError) -> QueryExpression {
        try lengthenChain()
        return .binary(operation, left, right)
    }

    /// Each operator of a chain is inside the next one, and with parentheses a whole chain may be inside the first
    /// operator of another. Releasing very many takes stack.
    ///
    /// - Returns: the operators of the chains around, for `endChain`.
    private mutating func beginChain() -> Int {
        defer { chained = 0 }
        return chained
    }

    private mutating func lengthenChain() throws(QueryError) {
        chained += 1
        guard chained < QueryLimits.depth else { throw .tooDeep }
    }

    private mutating func endChain(_ around: Int) { chained = max(around, chained) }

    private mutating func readNegation() throws(QueryError) -> QueryExpression {
        guard cursor.take(word: "NOT") else { return try readComparison() }
        return .unary(.not, try nested { parser throws(QueryError) in try parser.readNegation() })
    }

    // MARK: Comparisons

    /// From left to right; nothing of this level follows BETWEEN, IN and LIKE.
    private mutating func readComparison() throws(QueryError) -> QueryExpression {
        let around = beginChain()
        var left = try readTerm(0)
        var isFirst = true
        while true {
            if let range = try readRangeOperator(left, allowsAll: isFirst) {
                endChain(around)
                return try readCollation(of: range)
            }
            if cursor.take(word: "IS") {
                left = try readTest(left)
            } else if let comparison = takeComparison() {
                left = .binary(comparison, left, try readTerm(0))
            } else {
                endChain(around)
                return try readCollation(of: left)
            }
            try lengthenChain()
            isFirst = false
        }
    }

    private mutating func takeComparison() -> BinaryOperator? {
        if cursor.take("==") || cursor.take("=") { return .equal }
        if cursor.take("!=") || cursor.take("<>") { return .unequal }
        if cursor.take("<=") { return .lessOrEqual }
        if cursor.take(">=") { return .greaterOrEqual }
        if cursor.take("<") { return .less }
        return cursor.take(">") ? .greater : nil
    }

    private mutating func readTest(_ left: QueryExpression) throws(QueryError) -> QueryExpression {
        let isNegated = cursor.take(word: "NOT")
        for test in [ValueTest.null, .missing, .valued] {
            let isNext =
                switch test {
                case .null: cursor.take(word: "NULL")
                case .missing: cursor.take(word: "MISSING")
                case .valued: cursor.take(word: "VALUED")
                }
            if isNext { return .test(left, test, isNegated: isNegated) }
        }
        return .binary(isNegated ? .notSame : .same, left, try readTerm(0))
    }

    /// - Parameter allowsAll: behind another comparison only IN may follow.
    private mutating func readRangeOperator(
        _ left: QueryExpression, allowsAll: Bool
    ) throws(QueryError) -> QueryExpression? {
        let start = cursor.position
        let isNegated = cursor.take(word: "NOT")
        if cursor.take(word: "IN") {
            return .among(left, list: try readList(), isNegated: isNegated)
        }
        if allowsAll, cursor.take(word: "BETWEEN") {
            let low = try readTerm(0)
            try cursor.expect(word: "AND")
            return .between(left, low: low, high: try readTerm(0), isNegated: isNegated)
        }
        if allowsAll, cursor.take(word: "LIKE") {
            return .like(left, pattern: try readTerm(0), isNegated: isNegated)
        }
        cursor.position = start
        return nil
    }

    /// `(1, 2)` is a list here, as is `(1)`.
    private mutating func readList() throws(QueryError) -> QueryExpression {
        guard cursor.take("(") else { return try readTerm(0) }
        var elements: [QueryExpression] = []
        if cursor.take(")") { return .array(elements) }
        repeat { elements.append(try readExpression()) } while cursor.take(",")
        try cursor.expect(")")
        return .array(elements)
    }

    // MARK: Collations

    private mutating func readCollation(of expression: QueryExpression) throws(QueryError) -> QueryExpression {
        guard cursor.take(word: "COLLATE") else { return expression }
        var collation = QueryCollation()
        if cursor.take("(") {
            repeat { try readCollationWord(&collation) } while !cursor.take(")")
        } else {
            try readCollationWord(&collation)
        }
        return .collated(collation, expression)
    }

    private mutating func readCollationWord(_ collation: inout QueryCollation) throws(QueryError) {
        cursor.skipSpace()
        let keywords: [(StaticString, WritableKeyPath<QueryCollation, Bool>, Bool)] = [
            ("UNICODE", \.isUnicode, true), ("NOUNICODE", \.isUnicode, false), ("CASE", \.ignoresCase, false),
            ("NOCASE", \.ignoresCase, true), ("DIAC", \.ignoresAccents, false), ("NODIAC", \.ignoresAccents, true),
        ]
        for (word, property, value) in keywords where cursor.take(word: word) {
            collation[keyPath: property] = value
            if property == \QueryCollation.isUnicode, value, cursor.current == UInt8(ascii: ":") {
                cursor.position += 1
                guard let end = cursor.wordEnd() else { throw cursor.fail(.language) }
                collation.locale = String(decoding: cursor.bytes[cursor.position..<end], as: UTF8.self)
                cursor.position = end
            }
            return
        }
        throw cursor.fail()
    }

    // MARK: Arithmetic

    /// - Parameter level: 0 bits (which are refused), 1 sums, 2 products, 3 texts put together.
    mutating func readTerm(_ level: Int) throws(QueryError) -> QueryExpression {
        guard level < 4 else { return try readOperand() }
        let around = beginChain()
        var left = try readTerm(level + 1)
        while let operation = try takeOperator(level) {
            left = try joined(left, with: try readTerm(level + 1), by: operation)
        }
        endChain(around)
        return left
    }

    private mutating func takeOperator(_ level: Int) throws(QueryError) -> BinaryOperator? {
        cursor.skipSpace()
        switch level {
        case 0: try refuseBits()
        case 1:
            if cursor.take("+") { return .add }
            if cursor.take("-") { return .subtract }
        case 2:
            if cursor.take("*") { return .multiply }
            if cursor.take("/") { return .divide }
            if cursor.take("%") { return .modulo }
        default: if cursor.take("||") { return .concatenate }
        }
        return nil
    }

    /// Operators on bits are read and then refused by name.
    private mutating func refuseBits() throws(QueryError) {
        for mark in ["<<", ">>", "&", "|"] as [StaticString] where cursor.take(mark) {
            _ = try readTerm(1)
            throw QueryError("Unknown operator '\(mark)'")
        }
    }
}
