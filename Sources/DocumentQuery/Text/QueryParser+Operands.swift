import DocumentValues

extension QueryParser {
    /// An operand.
    mutating func readOperand() throws(QueryError) -> QueryExpression {
        cursor.skipSpace()
        cursor.expect(.value, at: cursor.position)
        guard let first = cursor.current else { throw cursor.fail() }
        switch first {
        case UInt8(ascii: "-"): return try readNegative()
        case UInt8(ascii: "+"):
            cursor.position += 1
            _ = try nested { parser throws(QueryError) in try parser.readOperand() }
            throw QueryError("Wrong number of arguments to +")
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber(isNegative: false)
        case UInt8(ascii: "."):
            guard isDigit(cursor.position + 1) else {
                cursor.position += 1
                throw cursor.fail(.digit)
            }
            return try readNumber(isNegative: false)
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            guard let text = cursor.takeQuoted(first) else { throw cursor.fail() }
            return .literal(.string(text))
        case UInt8(ascii: "*"):
            cursor.position += 1
            return .all(alias: nil)
        case UInt8(ascii: "("):
            cursor.position += 1
            let inner = try readExpression()
            try cursor.expect(")")
            return try readInnerPath(of: inner)
        case UInt8(ascii: "["): return try readArray()
        case UInt8(ascii: "{"): return try readObject()
        case UInt8(ascii: "$"): return try readParameter()
        default: return try readWord()
        }
    }

    private mutating func readNegative() throws(QueryError) -> QueryExpression {
        cursor.position += 1
        if isDigit(cursor.position) || cursor.current == UInt8(ascii: ".") && isDigit(cursor.position + 1) {
            return try readNumber(isNegative: true)
        }
        return .unary(.negate, try nested { parser throws(QueryError) in try parser.readOperand() })
    }

    // MARK: Literals

    private func isDigit(_ index: Int) -> Bool {
        index < cursor.bytes.count && cursor.bytes[index] >= 0x30 && cursor.bytes[index] <= 0x39
    }

    private mutating func skipDigits() { while isDigit(cursor.position) { cursor.position += 1 } }

    private mutating func readNumber(isNegative: Bool) throws(QueryError) -> QueryExpression {
        let start = cursor.position
        skipDigits()
        var isWhole = true
        if cursor.current == UInt8(ascii: ".") {
            isWhole = false
            cursor.position += 1
            skipDigits()
        }
        if let byte = cursor.current, byte | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            cursor.position += 1
            if cursor.current == UInt8(ascii: "+") || cursor.current == UInt8(ascii: "-") { cursor.position += 1 }
            guard isDigit(cursor.position) else { throw cursor.fail(.digit) }
            skipDigits()
        }
        if let byte = cursor.current, QueryCursor.continuesName(byte) { throw cursor.fail(.endOfNumber) }
        let text = (isNegative ? "-" : "") + String(decoding: cursor.bytes[start..<cursor.position], as: UTF8.self)
        if isWhole { return .literal(.number(JSONNumber(Int64(text) ?? (isNegative ? .min : .max)))) }
        // "5." and ".5" are numbers here, but not in JSON.
        guard let value = Double(text.hasSuffix(".") ? text + "0" : text.replacingLonePoint), value.isFinite else {
            throw QueryError("The number \(text.prefix(40))\(text.utf8.count > 40 ? "…" : "") is too large")
        }
        return .literal(.number(NumberText.json(value)))
    }

    private mutating func readArray() throws(QueryError) -> QueryExpression {
        cursor.position += 1
        var elements: [QueryExpression] = []
        if !cursor.take("]") {
            repeat { elements.append(try readExpression()) } while cursor.take(",")
            try cursor.expect("]")
        }
        return .array(elements)
    }

    private mutating func readObject() throws(QueryError) -> QueryExpression {
        cursor.position += 1
        var members: [(key: String, value: QueryExpression)] = []
        if !cursor.take("}") {
            repeat {
                cursor.skipSpace()
                guard let mark = cursor.current, mark == UInt8(ascii: "'") || mark == UInt8(ascii: "\""),
                    let key = cursor.takeQuoted(mark)
                else { throw cursor.fail(.key) }
                try cursor.expect(":")
                members.append((key, try readExpression()))
            } while cursor.take(",")
            try cursor.expect("}")
        }
        return try readInnerPath(of: .object(members))
    }

    private mutating func readParameter() throws(QueryError) -> QueryExpression {
        cursor.position += 1
        if cursor.current == UInt8(ascii: "`"), let name = cursor.takeQuoted(UInt8(ascii: "`")) {
            throw QueryError("Invalid query parameter name '\(name)'")
        }
        guard let end = cursor.wordEnd() else { throw cursor.fail(.name) }
        let name = String(decoding: cursor.bytes[cursor.position..<end], as: UTF8.self)
        cursor.position = end
        return try readInnerPath(of: .parameter(name))
    }

    // MARK: Paths

    /// `.b[0].c` behind a value that is not a property.
    mutating func readInnerPath(of value: QueryExpression) throws(QueryError) -> QueryExpression {
        let start = cursor.position
        guard cursor.take(".") else {
            cursor.position = start
            return value
        }
        guard let name = cursor.takeName() else { throw cursor.fail() }
        let path = try readPath(QueryPath(keys: [name]))
        if case .property(let outer) = value { return .property(QueryPath(outer.steps + path.steps)) }
        return .nested(value, path)
    }

    /// The rest of a path that begins with `path`.
    private mutating func readPath(_ path: QueryPath) throws(QueryError) -> QueryPath {
        var path = path
        while true {
            let start = cursor.position
            if cursor.take("[") {
                path.steps.append(.index(try readIndex()))
            } else if cursor.take(".") {
                guard let name = cursor.takeName() else {
                    cursor.position = start
                    if path.steps.count == 1 { return path }
                    throw cursor.fail()
                }
                path.steps.append(.key(Name(name)))
            } else {
                cursor.position = start
                return path
            }
        }
    }

    private mutating func readIndex() throws(QueryError) -> Int {
        cursor.skipSpace()
        let start = cursor.position
        if cursor.current == UInt8(ascii: "-") { cursor.position += 1 }
        guard isDigit(cursor.position) else { throw cursor.fail(.wholeNumber) }
        skipDigits()
        let text = String(decoding: cursor.bytes[start..<cursor.position], as: UTF8.self)
        try cursor.expect("]")
        // No array is that long.
        return Int(text) ?? .max
    }

    // MARK: Keywords

    private mutating func readWord() throws(QueryError) -> QueryExpression {
        if cursor.take(word: "TRUE") { return .literal(.bool(true)) }
        if cursor.take(word: "FALSE") { return .literal(.bool(false)) }
        if cursor.take(word: "NULL") { return .literal(.null) }
        if cursor.take(word: "MISSING") { return .missing }
        if cursor.take(word: "CASE") { return try readChoice() }
        if cursor.take(word: "EVERY") { return try readQuantified(.every) }
        if let any = try readAny() { return any }
        let isQuoted = cursor.current == UInt8(ascii: "`")
        guard let name = cursor.takeName() else { throw cursor.fail() }
        if let call = try readCall(name, isQuoted: isQuoted) { return try readInnerPath(of: call) }
        let path = try readPath(QueryPath(keys: [name]))
        return try readWholeSource(path) ?? .property(path)
    }

    /// `alias.*`
    private mutating func readWholeSource(_ path: QueryPath) throws(QueryError) -> QueryExpression? {
        guard path.steps.count == 1, let alias = path.firstKey else { return nil }
        let start = cursor.position
        if cursor.take(".") {
            if cursor.take("*") { return .all(alias: alias) }
            throw cursor.fail()
        }
        cursor.position = start
        return nil
    }

    private mutating func readAny() throws(QueryError) -> QueryExpression? {
        let start = cursor.position
        let isReserved = cursor.take(word: "ANY")
        guard isReserved || cursor.take(word: "SOME") else { return nil }
        if cursor.take(word: "AND") {
            if isReserved || cursor.isFollowedByEvery {
                try cursor.expect(word: "EVERY")
                return try readQuantified(.anyAndEvery)
            }
        } else if isReserved || beginsQuantified() {
            return try readQuantified(.any)
        }
        // `SOME` is a property where no variable and IN follow.
        cursor.position = start
        return nil
    }

    private func beginsQuantified() -> Bool {
        var ahead = cursor
        return ahead.takeName() != nil && ahead.take(word: "IN")
    }

    private mutating func readQuantified(_ quantifier: Quantifier) throws(QueryError) -> QueryExpression {
        guard let variable = cursor.takeName() else { throw cursor.fail() }
        try cursor.expect(word: "IN")
        let list = try nested { parser throws(QueryError) in try parser.readTerm(0) }
        try cursor.expect(word: "SATISFIES")
        let condition = try readExpression()
        try cursor.expect(word: "END")
        return .quantified(quantifier, variable: variable, list: list, condition: condition)
    }

    private mutating func readChoice() throws(QueryError) -> QueryExpression {
        var subject: QueryExpression?
        var branches: [ChoiceBranch] = []
        if !cursor.take(word: "WHEN") {
            subject = try readExpression()
            try cursor.expect(word: "WHEN")
        }
        repeat {
            let condition = try readExpression()
            try cursor.expect(word: "THEN")
            branches.append(ChoiceBranch(condition: condition, result: try readExpression()))
        } while cursor.take(word: "WHEN")
        let otherwise: QueryExpression? = cursor.take(word: "ELSE") ? try readExpression() : nil
        try cursor.expect(word: "END")
        return .choice(subject: subject, branches: branches, otherwise: otherwise)
    }
}

extension QueryCursor {
    fileprivate var isFollowedByEvery: Bool {
        var ahead = self
        ahead.skipSpace()
        return ahead.isNext(word: "EVERY")
    }
}

extension String {
    /// `.5` and `5.e1` as the standard library reads them.
    fileprivate var replacingLonePoint: String {
        var result: [UInt8] = []
        let bytes = Array(utf8)
        for (index, byte) in bytes.enumerated() {
            let isPoint = byte == UInt8(ascii: ".")
            if isPoint, index == 0 || bytes[index - 1] == UInt8(ascii: "-") { result.append(0x30) }
            result.append(byte)
            if isPoint, index + 1 == bytes.count || bytes[index + 1] | 0x20 == UInt8(ascii: "e") { result.append(0x30) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
