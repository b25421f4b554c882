import DocumentQuery

extension FuzzTarget {
    /// What somebody types to search for, which becomes an expression of FTS5; its words go through every stemmer.
    static let search = FuzzTarget(name: "search", seeds: { searches.map { Array($0.utf8) } }) { bytes in
        let typed = text(bytes)
        for language in SearchLanguage.allCases { checkStems(typed, language: language) }
        let expression = try MatchExpression.translate(typed, properties: ["title", "notes.text"]) { $0 != "the" }
        checkBrackets(expression)
        let again = try MatchExpression.translate(typed, properties: ["title", "notes.text"]) { $0 != "the" }
        check(again == expression, "a search becomes two different ones")
    }

    private static let searches = [
        "valve pump", "valve OR pump AND house NOT leak", "(valve OR \"pump house\") title:val*", "pump NEAR/2 house",
        "notes.text:^leak A-10 naïve 日本*", "the", "(((a) OR b) c) NEAR d", "undersøgelser majestueusement inspecciones",
    ]

    private static func checkStems(_ typed: String, language: SearchLanguage) {
        var typed = typed
        let settings = WordSettings(language: language.rawValue, ignoresAccents: true)
        typed.withUTF8 { bytes in
            var scanner = WordScanner(bytes)
            var end = 0
            while let range = scanner.next() {
                check(range.lowerBound >= end && !range.isEmpty, "a word begins in another one")
                end = range.upperBound
                let indexed = settings.indexed(UnsafeBufferPointer(rebasing: bytes[range])) { word, _ in word }
                check(indexed?.isEmpty != true, "nothing is left of a word")
            }
            check(end <= bytes.count, "a word ends behind the text")
        }
    }

    /// Quotation marks come in pairs, and parentheses outside of them, too: FTS5 reads the expression as it was meant.
    private static func checkBrackets(_ expression: String) {
        var isQuoted = false
        var depth = 0
        for byte in expression.utf8 {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "(") where !isQuoted: depth += 1
            case UInt8(ascii: ")") where !isQuoted: depth -= 1
            default: break
            }
            check(depth >= 0, "a parenthesis is closed that was not opened")
        }
        check(!isQuoted && depth == 0, "a quotation mark or a parenthesis is left open")
    }
}
