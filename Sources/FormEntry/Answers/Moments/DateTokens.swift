import DocumentValues

/// The parts of a typed date: numbers, names, and the marks between them.
struct DateTokens: Sendable {
    enum Token: Sendable, Hashable {
        /// One to eight digits.
        case number(Int, digits: Int)
        case name(String)
    }

    private(set) var tokens: [Token] = []
    /// `.`, `/`, `-`: each that is between two tokens, or behind the last.
    private(set) var marks: [UInt8] = []

    /// `nil` for a text with something that no date has.
    ///
    /// - Parameter folded: as `FoldedText` gives it.
    init?(_ folded: String) {
        guard folded.utf8.count <= EntryLimits.date else { return nil }
        var rest = Substring(PlainDigits.of(folded)).utf8
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digits = rest.prefix { (0x30...0x39).contains($0) }
                guard digits.count <= 8, let number = Int(String(Substring(digits))) else { return nil }
                tokens.append(.number(number, digits: digits.count))
                rest = rest.dropFirst(digits.count)
            case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-"):
                guard !tokens.isEmpty else { return nil }
                marks.append(byte)
                rest = rest.dropFirst()
            case UInt8(ascii: ","), UInt8(ascii: " "): rest = rest.dropFirst()
            default:
                let name = rest.prefix { !Self.isEnd($0) }
                append(name: String(Substring(name)))
                rest = rest.dropFirst(name.count)
            }
            guard tokens.count <= 8, marks.count <= 8 else { return nil }
        }
        guard !tokens.isEmpty else { return nil }
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || [0x2E, 0x2F, 0x2D, 0x2C, 0x20].contains(byte)
    }

    private mutating func append(name: String) {
        if case .number? = tokens.last, Self.ordinals.contains(where: { $0.isExactly(name) }) { return }
        if Self.fillers.contains(where: { $0.isExactly(name) }) { return }
        tokens.append(.name(name))
    }

    private static let ordinals = ["st", "nd", "rd", "th", "er", "re", "o", "º", "ª"]
    private static let fillers = ["of", "the", "on", "de", "del", "den", "am", "le", "el"]

    /// Without the first token.
    var behindFirst: DateTokens? {
        guard tokens.count > 1 else { return nil }
        var rest = self
        rest.tokens.removeFirst()
        // `Wed. 4 March`
        if rest.marks.first == UInt8(ascii: "."), rest.marks.count >= rest.tokens.count { rest.marks.removeFirst() }
        return rest
    }

    var names: [String] {
        tokens.compactMap { token in
            guard case .name(let name) = token else { return nil }
            return name
        }
    }

    var numbers: [(value: Int, digits: Int)] {
        tokens.compactMap { token in
            guard case .number(let value, let digits) = token else { return nil }
            return (value, digits)
        }
    }

    /// Whether days are before months with this mark everywhere.
    var isDotted: Bool { marks.first == UInt8(ascii: ".") }
}
