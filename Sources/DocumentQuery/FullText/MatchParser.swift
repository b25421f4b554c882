import DocumentValues

/// Reads the text of a search.
struct MatchParser {
    private let bytes: [UInt8]
    private let properties: [[UInt8]]
    private let isIndexed: (String) -> Bool
    private var position = 0
    private var nesting = 0
    private var terms = 0

    init(_ text: String, properties: [String], isIndexed: @escaping (String) -> Bool) {
        bytes = Array(text.utf8)
        self.properties = properties.map { Array($0.utf8) }
        self.isIndexed = isIndexed
    }

    mutating func parse() throws -> MatchNode {
        let node = try readAlternatives()
        guard position == bytes.count else { throw malformed }
        return node
    }

    /// It shows the beginning of a long text only.
    private var malformed: QueryError {
        let text = String(decoding: bytes, as: UTF8.self).shortened(toBytes: 200)
        return QueryError("malformed MATCH expression: [\(text)]")
    }

    // MARK: Operators

    private mutating func readAlternatives() throws -> MatchNode {
        guard beginsOperand() else {
            guard isAtEnd else { throw malformed }
            return .nothing
        }
        var nodes = [try readConjunction()]
        while take("OR") { nodes.append(try readConjunction()) }
        return nodes.count == 1 ? nodes[0] : .any(nodes)
    }

    private mutating func readConjunction() throws -> MatchNode {
        var nodes = [try readDifference()]
        while take("AND") || beginsOperand() { nodes.append(try readDifference()) }
        return nodes.count == 1 ? nodes[0] : .all(nodes)
    }

    private mutating func readDifference() throws -> MatchNode {
        let wanted = try readNear()
        var unwanted: [MatchNode] = []
        while take("NOT") { unwanted.append(try readNear()) }
        return unwanted.isEmpty ? wanted : .without(wanted, unwanted)
    }

    private mutating func readNear() throws -> MatchNode {
        let first = try readOperand()
        var nodes = [first]
        var distances: [Int] = []
        while let distance = takeNear() {
            distances.append(distance)
            nodes.append(try readOperand())
        }
        guard !distances.isEmpty else { return first }
        var phrases: [MatchPhrase] = []
        for node in nodes {
            switch node {
            case .phrase(let phrase): phrases.append(phrase)
            case .nothing: break
            case .near, .all, .any, .without: throw malformed
            }
        }
        guard phrases.count == nodes.count else { return .all(phrases.map { .phrase($0) }) }
        return .near(phrases, distances: distances)
    }

    // MARK: Operands

    private mutating func readOperand() throws -> MatchNode {
        guard beginsOperand() else { throw malformed }
        if bytes[position] == UInt8(ascii: "(") { return try readParentheses() }
        let column = takeProperty()
        if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return try readPhrase(column) }
        return try readWord(column)
    }

    private mutating func readParentheses() throws -> MatchNode {
        guard nesting < QueryLimits.searchNesting else { throw malformed }
        position += 1
        nesting += 1
        defer { nesting -= 1 }
        skipSpace()
        if !isAtEnd, bytes[position] == UInt8(ascii: ")") {
            position += 1
            return .nothing
        }
        let node = try readAlternatives()
        skipSpace()
        guard !isAtEnd, bytes[position] == UInt8(ascii: ")") else { throw malformed }
        position += 1
        return node
    }

    private mutating func readPhrase(_ column: Int?) throws -> MatchNode {
        position += 1
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\"")) else { throw malformed }
        var phrase = MatchPhrase(column: column)
        while let range = word(before: end) {
            try add(range, to: &phrase)
            position = max(range.upperBound, position)
        }
        position = end + 1
        return phrase.texts.isEmpty ? .nothing : .phrase(phrase)
    }

    /// The next word. Characters before it are skipped: `-x` is `x`.
    private mutating func readWord(_ column: Int?) throws -> MatchNode {
        let end = bytes[position...].firstIndex { Self.isSpace($0) || Self.isMark($0) } ?? bytes.count
        guard let range = word(before: end) else {
            position = end
            return .nothing
        }
        var phrase = MatchPhrase(column: column)
        try add(range, to: &phrase)
        position = range.upperBound
        if phrase.isPrefix || position < bytes.count && bytes[position] == UInt8(ascii: "*") { position += 1 }
        return phrase.texts.isEmpty ? .nothing : .phrase(phrase)
    }

    private func word(before end: Int) -> Range<Int>? {
        bytes[position..<end].withUnsafeBufferPointer { part in
            var scanner = WordScanner(part)
            return scanner.next().map { $0.lowerBound + position..<$0.upperBound + position }
        }
    }

    private mutating func add(_ range: Range<Int>, to phrase: inout MatchPhrase) throws {
        guard terms < QueryLimits.searchTerms else {
            throw QueryError("A full-text search has more than \(QueryLimits.searchTerms) terms")
        }
        terms += 1
        let text = String(decoding: bytes[range], as: UTF8.self)
        guard isIndexed(text) else { return }
        if phrase.texts.isEmpty, range.lowerBound > 0, bytes[range.lowerBound - 1] == UInt8(ascii: "^") {
            phrase.isFirst = true
        }
        phrase.texts.append(text)
        phrase.isPrefix = range.upperBound < bytes.count && bytes[range.upperBound] == UInt8(ascii: "*")
    }

    // MARK: Marks

    private var isAtEnd: Bool { position >= bytes.count }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "\"")
    }

    private mutating func skipSpace() { while !isAtEnd, Self.isSpace(bytes[position]) { position += 1 } }

    /// Whether anything but an operator or the end of parentheses is next.
    private mutating func beginsOperand() -> Bool {
        skipSpace()
        guard !isAtEnd, bytes[position] != UInt8(ascii: ")") else { return false }
        return !["AND", "OR", "NOT"].contains { isNext($0) } && nearEnd == nil
    }

    private func isNext(_ word: String) -> Bool {
        let word = Array(word.utf8)
        return bytes[position...].starts(with: word) && endsOperator(position + word.count)
    }

    private func endsOperator(_ end: Int) -> Bool {
        guard end < bytes.count else { return true }
        return Self.isSpace(bytes[end]) || Self.isMark(bytes[end])
    }

    private mutating func take(_ word: String) -> Bool {
        skipSpace()
        guard isNext(word) else { return false }
        position += word.utf8.count
        return true
    }

    /// Behind `NEAR` or `NEAR/n`, if that is next, with the n.
    private var nearEnd: (position: Int, distance: Int)? {
        let word = Array("NEAR".utf8)
        guard bytes[position...].starts(with: word) else { return nil }
        var end = position + word.count
        var distance = 10
        if end < bytes.count, bytes[end] == UInt8(ascii: "/") {
            let digits = bytes[(end + 1)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
            guard let number = Int(String(decoding: digits.prefix(9), as: UTF8.self)) else { return nil }
            distance = number
            end = digits.endIndex
        }
        return endsOperator(end) ? (end, distance) : nil
    }

    private mutating func takeNear() -> Int? {
        skipSpace()
        guard !isAtEnd, let (end, distance) = nearEnd else { return nil }
        position = end
        return distance
    }

    /// `property:`, in any case.
    private mutating func takeProperty() -> Int? {
        for (number, property) in properties.enumerated() {
            let end = position + property.count
            guard end < bytes.count, bytes[end] == UInt8(ascii: ":") else { continue }
            let isSame = zip(bytes[position..<end], property).allSatisfy { Self.lowercased($0) == Self.lowercased($1) }
            guard isSame else { continue }
            position = end + 1
            return number
        }
        return nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
