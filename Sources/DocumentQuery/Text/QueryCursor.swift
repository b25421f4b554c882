/// A position in the text of a query, and the furthest one at which the text was not as expected: an error names that.
struct QueryCursor {
    let bytes: [UInt8]
    var position = 0
    private(set) var furthest = 0
    /// Where to collect what the text might have had: a text with an error is read again for it, so that reading others
    /// costs nothing more.
    private(set) var watched: Int?
    /// Each once, in the order in which they were tried at `watched`.
    private(set) var expected: [ExpectedToken] = []
    /// A name before the parenthesis at `watched`, of which there is no function.
    private(set) var unknownFunction: String?

    /// - Parameter watched: see there.
    init(_ text: String, watched: Int? = nil) {
        bytes = Array(text.utf8)
        self.watched = watched
    }

    var isAtEnd: Bool { position >= bytes.count }

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips white space: space, tab, line feed, carriage return.
    mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Notes that the text does not have the expected token here.
    mutating func note(_ token: @autoclosure () -> ExpectedToken, at index: Int) {
        furthest = max(furthest, index)
        expect(token(), at: index)
    }

    /// Notes that the text may have the token here.
    mutating func expect(_ token: @autoclosure () -> ExpectedToken, at index: Int) {
        guard index == watched else { return }
        let token = token()
        if !expected.contains(token) { expected.append(token) }
    }

    /// - Parameter token: missing here; `nil` where all that are possible are noted.
    mutating func fail(_ token: ExpectedToken? = nil) -> QueryError {
        furthest = max(furthest, position)
        if let token { expect(token, at: position) }
        return .syntax(at: furthest)
    }

    mutating func fail(ofFunction name: String) -> QueryError {
        if position == watched { unknownFunction = name }
        return fail()
    }

    // MARK: Marks

    /// Skips white space and the mark, or notes that the mark is missing.
    mutating func take(_ mark: StaticString) -> Bool {
        skipSpace()
        guard isNext(mark) else {
            note(.mark(mark.description), at: position)
            return false
        }
        position += mark.utf8CodeUnitCount
        return true
    }

    func isNext(_ mark: StaticString) -> Bool {
        guard position + mark.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<mark.utf8CodeUnitCount where bytes[position + index] != mark.utf8Start[index] { return false }
        return true
    }

    mutating func expect(_ mark: StaticString) throws(QueryError) {
        guard take(mark) else { throw fail() }
    }

    // MARK: Keywords and names

    static func beginsName(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F }

    static func continuesName(_ byte: UInt8) -> Bool {
        beginsName(byte) || byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "$")
    }

    /// Whether a text is a name without back-ticks.
    static func isPlainName(_ text: String) -> Bool {
        let cursor = QueryCursor(text)
        guard cursor.wordEnd() == cursor.bytes.count else { return false }
        return !Keywords.contains(text) && !["ALL", "SOME"].contains(text.uppercased())
    }

    /// The word that begins here, without passing over it.
    func wordEnd() -> Int? {
        guard position < bytes.count, Self.beginsName(bytes[position]) else { return nil }
        var end = position + 1
        while end < bytes.count, Self.continuesName(bytes[end]) { end += 1 }
        return end
    }

    /// Whether the keyword is next, in any case.
    func isNext(word: StaticString) -> Bool {
        guard let end = wordEnd(), end - position == word.utf8CodeUnitCount else { return false }
        for index in 0..<word.utf8CodeUnitCount {
            let byte = bytes[position + index]
            let upper = byte >= 0x61 && byte <= 0x7A ? byte & 0xDF : byte
            guard upper == word.utf8Start[index] else { return false }
        }
        return true
    }

    mutating func take(word: StaticString) -> Bool {
        skipSpace()
        guard isNext(word: word) else {
            note(.word(word.description), at: position)
            return false
        }
        position += word.utf8CodeUnitCount
        return true
    }

    mutating func expect(word: StaticString) throws(QueryError) {
        guard take(word: word) else { throw fail() }
    }

    /// A name that is no reserved word, or anything in back-ticks; `nil` where neither is next.
    mutating func takeName() -> String? {
        skipSpace()
        if current == UInt8(ascii: "`") { return takeQuoted(UInt8(ascii: "`")) }
        guard let end = wordEnd() else {
            note(.name, at: position)
            return nil
        }
        let word = String(decoding: bytes[position..<end], as: UTF8.self)
        guard !Keywords.contains(word) else {
            note(.name, at: position)
            return nil
        }
        position = end
        return word
    }

    /// The text between two marks, which are doubled inside; `nil` if the second is missing.
    mutating func takeQuoted(_ mark: UInt8) -> String? {
        var content: [UInt8] = []
        var index = position + 1
        while index < bytes.count {
            if bytes[index] == mark {
                guard index + 1 < bytes.count, bytes[index + 1] == mark else {
                    position = index + 1
                    return String(decoding: content, as: UTF8.self)
                }
                index += 1
            }
            content.append(bytes[index])
            index += 1
        }
        note(.closing(mark), at: bytes.count)
        return nil
    }
}

enum Keywords {
    private static let all: Set<String> = [
        "AND", "ANY", "AS", "ASC", "BETWEEN", "BY", "CASE", "COLLATE", "CROSS", "DESC", "DISTINCT", "ELSE", "END",
        "EVERY", "FALSE", "FROM", "GROUP", "HAVING", "IN", "INNER", "IS", "JOIN", "LEFT", "LIKE", "LIMIT", "MISSING",
        "NATURAL", "NOT", "NULL", "OFFSET", "ON", "OR", "ORDER", "OUTER", "RIGHT", "SATISFIES", "SELECT", "THEN",
        "TRUE", "UNNEST", "USING", "VALUED", "WHEN", "WHERE",
    ]

    /// Of a word of ASCII.
    static func contains(_ word: String) -> Bool { word.utf8.count <= 9 && all.contains(word.uppercased()) }
}
