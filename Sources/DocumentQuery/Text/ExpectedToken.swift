/// A thing that the text of a query might have had where it has an error.
enum ExpectedToken: Hashable {
    /// `(`
    case mark(String)
    /// `WHERE`
    case word(String)
    /// A thing in words.
    case described(String)

    static let value = described("an expression")
    static let name = described("a name")
    static let alias = described("an alias")
    static let anOperator = described("an operator")
    static let digit = described("a digit")
    static let endOfNumber = described("the end of the number")
    static let wholeNumber = described("a whole number")
    static let key = described("a key in quotation marks")
    static let language = described("a language")
    static let end = described("the end")

    static func closing(_ mark: UInt8) -> ExpectedToken {
        described("the closing \(String(UnicodeScalar(mark)))")
    }

    /// As an error shows it.
    var text: String {
        switch self {
        case .mark(let mark): "'\(mark)'"
        case .word("GROUP"): "GROUP BY"
        case .word("ORDER"): "ORDER BY"
        case .word(let word): word
        case .described(let text): text
        }
    }
}

/// Many are possible nearly everywhere; in an error one stands for all of its kind.
extension [ExpectedToken] {
    private static let beginnings: Set<ExpectedToken> = [
        .word("NOT"), .word("TRUE"), .word("FALSE"), .word("NULL"), .word("MISSING"), .word("CASE"), .word("EVERY"),
        .word("ANY"), .word("SOME"), .name,
    ]

    private static let operators: Set<ExpectedToken> = {
        let marks = [
            ".", "[", "||", "*", "/", "%", "+", "-", "<<", ">>", "&", "|", "==", "=", "!=", "<>", "<=", ">=", "<", ">",
        ]
        let keywords = ["NOT", "IN", "BETWEEN", "LIKE", "IS", "COLLATE", "AND", "OR"]
        return Set(marks.map { ExpectedToken.mark($0) } + keywords.map { .word($0) })
    }()

    private static let joins: Set<ExpectedToken> = [.word("INNER"), .word("LEFT"), .word("CROSS")]

    /// Clauses that come behind FROM.
    private static let behindSources: Set<ExpectedToken> = [
        .word("WHERE"), .word("GROUP"), .word("ORDER"), .word("LIMIT"), .word("OFFSET"), .end,
    ]

    /// - Parameter isStatement: a query, and not an expression.
    func grouped(isStatement: Bool) -> [ExpectedToken] {
        var tokens = self
        if contains(.mark("||")) { tokens = tokens.replacing(Self.operators, by: .anOperator) }
        if tokens.contains(.value), !contains(.word("VALUED")) {
            tokens = tokens.replacing(Self.beginnings.union([.value]), by: .value)
        }
        if contains(.word("SELECT")) { tokens.removeAll { $0 == (isStatement ? .value : .word("SELECT")) } }
        if contains(.word("AS")) { tokens = tokens.replacing([.word("AS"), .name], by: .alias) }
        if contains(.word("JOIN")) { tokens.removeAll { Self.joins.contains($0) } }
        if contains(.word("FROM")), isStatement { tokens.removeAll { Self.behindSources.contains($0) } }
        tokens.removeAll { $0 == .mark(";") }
        // A longer name is possible behind each.
        if tokens.count > 1 { tokens.removeAll { $0 == .mark(".") } }
        return tokens
    }

    /// With one token instead of all of a kind, where the first of them is.
    private func replacing(_ kind: Set<ExpectedToken>, by token: ExpectedToken) -> [ExpectedToken] {
        guard let first = firstIndex(where: { kind.contains($0) }) else { return self }
        return self[..<first] + [token] + self[first...].filter { !kind.contains($0) }
    }

    /// `FROM, WHERE or the end`
    var listed: String { map(\.text).listed(by: "or") }
}
