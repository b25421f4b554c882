import DocumentValues

/// Texts without quotes.
extension YAMLParser {
    /// - Parameter inFlow: within brackets.
    mutating func checkPlainStart(inFlow: Bool) throws(YAMLFailure) {
        let byte = cursor.byte
        switch Unicode.Scalar(byte) {
        case "-", "?", ":":
            let next = cursor.byte(ahead: 1)
            guard YAMLCursor.endsIndicator(next) || (inFlow && YAMLCursor.isFlowIndicator(next)) else { return }
        case ",", "[", "]", "{", "}", "#", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`": break
        default: return
        }
        throw fault("'\(Unicode.Scalar(byte))' cannot begin a text here.", hint: "Put the text in quotes.")
    }

    /// The text up to the end of the line, a comment, or a `:` that ends a key; without the blanks at its end.
    mutating func plainLine(inFlow: Bool) -> String {
        let start = cursor.offset
        var end = start
        while !cursor.isAtBreak, !cursor.isAtComment, !endsPlain(inFlow: inFlow) {
            let isBlank = cursor.isAtBlank
            cursor.advance()
            if !isBlank { end = cursor.offset }
        }
        return cursor.text(from: start, to: end)
    }

    private func endsPlain(inFlow: Bool) -> Bool {
        let byte = cursor.byte
        if byte == UInt8(ascii: ":") {
            let next = cursor.byte(ahead: 1)
            return YAMLCursor.endsIndicator(next) || (inFlow && YAMLCursor.isFlowIndicator(next))
        }
        return inFlow && YAMLCursor.isFlowIndicator(byte)
    }

    /// A text whose first line was read, with the lines below that are indented more.
    mutating func plainText(_ first: String, inside indent: Int) throws(YAMLFailure) -> String {
        var parts = [first]
        while cursor.isAtBreak, !cursor.isAtEnd {
            let end = cursor
            let breaks = try skipBreaks()
            guard cursor.hasContent, cursor.column > indent, !cursor.isAtComment else {
                cursor = end
                break
            }
            parts.append(Self.fold(breaks))
            let start = cursor
            parts.append(plainLine(inFlow: false))
            if cursor.isAtIndicator(":") {
                cursor = start
                throw fault(
                    "a key is indented more than the lines above it.",
                    hint: "End the line above with ':' if the key belongs to it, or put a text that goes on in quotes.")
            }
        }
        return parts.joined()
    }

    /// The same within brackets, where the indentation does not matter.
    mutating func plainFlowText(of start: YAMLPosition) throws(YAMLFailure) -> String {
        var parts = [plainLine(inFlow: true)]
        while cursor.isAtBreak, !cursor.isAtEnd {
            let end = cursor
            let breaks = try skipBreaks()
            guard cursor.hasContent, !cursor.isAtComment, !endsPlain(inFlow: true) else {
                cursor = end
                break
            }
            parts.append(Self.fold(breaks))
            parts.append(plainLine(inFlow: true))
        }
        if cursor.byte == UInt8(ascii: ":") {
            throw fault("': ' is in a text without quotes.", hint: "Put the text in quotes.")
        }
        return parts.joined()
    }

    /// From the end of a line to the first content below it; how many line ends are between.
    mutating func skipBreaks() throws(YAMLFailure) -> Int {
        var breaks = 0
        while cursor.isAtBreak, !cursor.isAtEnd {
            cursor.nextLine()
            breaks += 1
            cursor.skipSpaces()
            guard cursor.byte == UInt8(ascii: "\t") else { continue }
            let tab = tabFault()
            cursor.skipBlanks()
            if !cursor.isAtBreak { throw tab }
        }
        return breaks
    }

    /// One line end is a space, each further one a line end.
    static func fold(_ breaks: Int) -> String {
        breaks == 1 ? " " : String(repeating: "\n", count: breaks - 1)
    }
}
