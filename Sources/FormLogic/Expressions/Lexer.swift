import DocumentValues

/// A piece of an expression's text.
struct Token: Sendable {
    enum Kind: Sendable {
        case number(Double)
        case text(String)
        /// A name, perhaps with a prefix: `jr:choice-name`.
        case name(String)
        case reference(name: String, isLastSaved: Bool)
        case mark(Mark)
        case end
    }

    enum Mark: String, Sendable, CaseIterable {
        case open = "("
        case close = ")"
        case openPredicate = "["
        case closePredicate = "]"
        case comma = ","
        case slash = "/"
        case dot = "."
        case dots = ".."
        case at = "@"
        case axis = "::"
        case star = "*"
        case bar = "|"
        case plus = "+"
        case minus = "-"
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    let kind: Kind
    /// The scalar at which it begins, counted from 0.
    let position: Int
}

/// Divides the text of an expression into tokens.
struct Lexer {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var tokens: [Token] = []

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The tokens, of which the last is the end.
    static func tokens(of text: String) throws(ExpressionError) -> [Token] {
        guard text.unicodeScalars.count <= FormLimits.expression else {
            throw ExpressionError(
                .limit, message: "an expression has at most \(FormLimits.expression) characters", position: 0)
        }
        var lexer = Lexer(text)
        try lexer.run()
        return lexer.tokens
    }

    private mutating func run() throws(ExpressionError) {
        while index < scalars.count {
            let scalar = scalars[index]
            if Self.isSpace(scalar) {
                index += 1
            } else if Self.beginsName(scalar) {
                readName()
            } else if Self.isDigit(scalar)
                || scalar == "." && index + 1 < scalars.count && Self.isDigit(scalars[index + 1])
            {
                readNumber()
            } else if Self.isQuote(scalar) {
                try readText()
            } else if scalar == "$" {
                try readReference()
            } else {
                try readMark()
            }
        }
        add(.end, from: scalars.count)
    }

    private mutating func add(_ kind: Token.Kind, from start: Int) { tokens.append(Token(kind: kind, position: start)) }

    private func string(from start: Int) -> String { String(String.UnicodeScalarView(scalars[start..<index])) }

    func error(_ message: String, at position: Int) -> ExpressionError {
        ExpressionError(.syntax, message: message, position: position)
    }

    private mutating func readName() {
        let start = index
        passName()
        // One colon makes a prefix, two an axis.
        if index + 1 < scalars.count, scalars[index] == ":", Self.beginsName(scalars[index + 1]) {
            index += 1
            passName()
        }
        add(.name(string(from: start)), from: start)
    }

    private mutating func passName() {
        while index < scalars.count, Self.continuesName(scalars[index]) { index += 1 }
    }

    private mutating func readNumber() {
        let start = index
        passDigits()
        if index < scalars.count, scalars[index] == "." {
            index += 1
            passDigits()
        }
        add(.number(NumberReading.number(string(from: start)) ?? .infinity), from: start)
    }

    private mutating func passDigits() {
        while index < scalars.count, Self.isDigit(scalars[index]) { index += 1 }
    }

    private mutating func readText() throws(ExpressionError) {
        let start = index
        let isSingle = Self.isSingleQuote(scalars[index])
        index += 1
        while index < scalars.count,
            !(Self.isQuote(scalars[index]) && Self.isSingleQuote(scalars[index]) == isSingle)
        {
            index += 1
        }
        guard index < scalars.count else {
            throw error("the quotation mark has no second one behind the text", at: start)
        }
        add(.text(String(String.UnicodeScalarView(scalars[(start + 1)..<index]))), from: start)
        index += 1
    }

    private mutating func readReference() throws(ExpressionError) {
        let start = index
        guard index + 1 < scalars.count, scalars[index + 1] == "{" else {
            throw error("'$' begins a reference such as ${name}", at: start)
        }
        index += 2
        passSpaces()
        let name = index
        while index < scalars.count, Self.continuesName(scalars[index]) || scalars[index] == "#" { index += 1 }
        let text = string(from: name)
        passSpaces()
        guard index < scalars.count, scalars[index] == "}" else { throw error("'${' needs a name and '}'", at: start) }
        index += 1
        let last = text.droppingExactPrefix("last-saved#")
        let target = last ?? text
        guard let first = target.unicodeScalars.first, Self.beginsName(first), !target.utf8.contains(UInt8(ascii: "#"))
        else { throw error("'\(target)' is no name of a question", at: start) }
        add(.reference(name: target, isLastSaved: last != nil), from: start)
    }

    private mutating func passSpaces() { while index < scalars.count, Self.isSpace(scalars[index]) { index += 1 } }

    private mutating func readMark() throws(ExpressionError) {
        let start = index
        try refuseSlip()
        if let mark = Self.mark(scalars[index], next: index + 1 < scalars.count ? scalars[index + 1] : nil) {
            index += mark.rawValue.utf8.count
            return add(.mark(mark), from: start)
        }
        let shown = String(scalars[index]).printableLine
        throw error("'\(shown)' has no meaning in an expression", at: start)
    }

    /// The longest mark that begins with a scalar; a path may have thousands of them.
    private static func mark(_ scalar: Unicode.Scalar, next: Unicode.Scalar?) -> Token.Mark? {
        switch scalar {
        case "(": .open
        case ")": .close
        case "[": .openPredicate
        case "]": .closePredicate
        case ",": .comma
        case "/": .slash
        case ".": next == "." ? .dots : .dot
        case "@": .at
        case ":": next == ":" ? .axis : nil
        case "*": .star
        case "|": .bar
        case "+": .plus
        case "-": .minus
        case "=": .equal
        case "!": next == "=" ? .notEqual : nil
        case "<": next == "=" ? .lessOrEqual : .less
        case ">": next == "=" ? .greaterOrEqual : .greater
        default: nil
        }
    }

    /// What authors write who know other languages, and how it is written here.
    private func refuseSlip() throws(ExpressionError) {
        for (slip, hint) in Self.slips where slip.unicodeScalars.first == scalars[index] {
            let length = slip.unicodeScalars.count
            guard index + length <= scalars.count,
                scalars[index..<(index + length)].elementsEqual(slip.unicodeScalars)
            else { continue }
            throw error(hint, at: index)
        }
        if scalars[index] == "!", index + 1 == scalars.count || scalars[index + 1] != "=" {
            throw error("'!' is not understood, write 'not(…)'", at: index)
        }
    }

    private static let slips: KeyValuePairs<String, String> = [
        "==": "'==' is not understood, write '='", "&&": "'&&' is not understood, write 'and'",
        "||": "'||' is not understood, write 'or'", "<>": "'<>' is not understood, write '!='",
        "≤": "'≤' is not understood, write '<='", "≥": "'≥' is not understood, write '>='",
        "≠": "'≠' is not understood, write '!='", "//": "'//' is not understood; write the path from /data",
        "%": "'%' is not understood, write 'mod'", "×": "'×' is not understood, write '*'",
        "÷": "'÷' is not understood, write 'div'", "–": "'–' is a dash, write '-'",
    ]

    // MARK: Scalars

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\t", "\n", "\r", "\u{A0}": true
        default: false
        }
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x30 && scalar.value <= 0x39 }

    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\"" || scalar == "\u{201C}" || scalar == "\u{201D}" || isSingleQuote(scalar)
    }

    private static func isSingleQuote(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "'" || scalar == "\u{2018}" || scalar == "\u{2019}"
    }

    static func beginsName(_ scalar: Unicode.Scalar) -> Bool { NodeName.begins(scalar) }

    static func continuesName(_ scalar: Unicode.Scalar) -> Bool { NodeName.continues(scalar) }
}
