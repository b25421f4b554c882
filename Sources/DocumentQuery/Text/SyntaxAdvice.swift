import DocumentValues

/// The text behind the message of a syntax error: its line and column, the token there, those that the text might have had,
/// and perhaps the one that its author meant.
struct SyntaxAdvice {
    private let cursor: QueryCursor
    private let position: Int
    private let isStatement: Bool
    private let found: FoundToken
    private let expected: [ExpectedToken]

    /// - Parameters:
    ///   - cursor: at the end of a reading that has failed at its watched position; without one there is no advice.
    ///   - isStatement: a query, and not an expression.
    init?(_ cursor: QueryCursor, isStatement: Bool) {
        guard let position = cursor.watched else { return nil }
        self.cursor = cursor
        self.position = position
        self.isStatement = isStatement
        found = FoundToken(cursor, at: position)
        expected = cursor.expected.grouped(isStatement: isStatement)
    }

    /// One line.
    var text: String {
        let column = TextExcerpt(cursor.bytes, at: position).lineAndColumn
        if let function = cursor.unknownFunction { return FunctionCatalog.advice(onUnknown: function, at: column) }
        let list = expected.isEmpty ? "" : ", expected \(expected.listed)"
        let sentence = "\(column): found \(found.text)\(list)."
        return suggestion.map { "\(sentence) \($0)" } ?? sentence
    }

    private var suggestion: String? {
        guard isStatement, let first = firstWord, first.word.map({ isWord($0, like: "SELECT") }) != true else {
            return correction ?? remark
        }
        if let word = first.word, near(word, among: ["SELECT"]) != nil { return Self.instead("SELECT", of: word) }
        return expected.contains(.word("SELECT")) ? nil : "A query begins with SELECT."
    }

    /// A keyword that is spelled like the word here, or like the one before, which then was taken for a name.
    private var correction: String? {
        let keywords = cursor.expected.compactMap { token -> String? in
            guard case .word(let word) = token else { return nil }
            return word
        }
        if let word = found.word, word.utf8.count > 1, !Keywords.contains(word),
            let keyword = near(word, among: keywords)
        {
            return "Did you mean \(keyword)?"
        }
        guard let word = wordBefore, word.utf8.count > 2, !Keywords.contains(word),
            let keyword = near(word, among: keywords)
        else { return nil }
        return Self.instead(keyword, of: word)
    }

    private static func instead(_ keyword: String, of word: String) -> String {
        "Did you mean \(keyword) instead of '\(word)'?"
    }

    /// What other languages have, and this one has not.
    private var remark: String? {
        switch found.content {
        case "/*", "//", "#": return "Queries have no comments."
        case "&", "&&": return "Write AND."
        case "!": return "Write NOT."
        case "?", ":", "@": return expected.contains(.value) ? "A parameter is written $name." : nil
        default: break
        }
        guard let word = found.word else { return nil }
        if expected.contains(.end), isWord(word, like: "HAVING") { return "HAVING goes behind GROUP BY." }
        if expected.contains(.end), isWord(word, like: "WHERE") {
            return "WHERE goes before GROUP BY, ORDER BY and LIMIT."
        }
        guard Keywords.contains(word), cursor.expected.contains(.name),
            !expected.contains(.value), !expected.contains(.alias)
        else { return nil }
        return "A keyword is a name in back-ticks: `\(word)`."
    }

    // MARK: Words

    /// Few letters are wrong where few are written, and more seldom the first one.
    private func near(_ word: String, among keywords: [String]) -> String? {
        let initial = word.uppercased().utf8.first
        let alike = keywords.filter { $0.utf8.first == initial }
        let others = keywords.filter { $0.utf8.first != initial }
        return NearName.nearest(word, among: alike + others, changes: word.utf8.count <= 4 ? 1 : 2)
    }

    private func isWord(_ word: String, like keyword: String) -> Bool { word.uppercased() == keyword }

    private var firstWord: FoundToken? {
        var start = cursor
        start.position = 0
        start.skipSpace()
        return FoundToken(start, at: start.position)
    }

    /// The plain word that ends before the position, with nothing but white space between.
    private var wordBefore: String? {
        let bytes = cursor.bytes
        var end = position
        while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] >= 0x09 && bytes[end - 1] <= 0x0D { end -= 1 }
        var start = end
        while start > 0, end - start <= QueryLimits.shownToken, QueryCursor.continuesName(bytes[start - 1]) {
            start -= 1
        }
        let before = start > 0 ? bytes[start - 1] : 0x20
        guard end < position, start < end, end - start <= QueryLimits.shownToken, before < 0x80,
            QueryCursor.beginsName(bytes[start]), before != UInt8(ascii: "."), before != UInt8(ascii: "$")
        else { return nil }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
