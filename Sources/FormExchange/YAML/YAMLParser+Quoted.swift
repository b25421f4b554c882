import DocumentValues

/// Texts in `'…'`, where only an apostrophe is special, and in `"…"` with escapes.
extension YAMLParser {
    mutating func quotedText() throws(YAMLFailure) -> String {
        let start = cursor.position()
        let quote = cursor.byte
        var text = QuotedText()
        cursor.advance()
        while true {
            if cursor.isAtEnd || cursor.isAtMarker { throw .fault(unclosed(start)) }
            let byte = cursor.byte
            if byte == quote {
                cursor.advance()
                guard quote == UInt8(ascii: "'"), cursor.byte == quote else { break }
                text.append(quote)
                cursor.advance()
            } else if byte == UInt8(ascii: "\n") {
                text.fold(skipQuotedBreaks())
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                try readEscape(into: &text)
            } else {
                YAMLCursor.isBlank(byte) ? text.append(blank: byte) : text.append(byte)
                cursor.advance()
            }
        }
        return text.text
    }

    private func unclosed(_ start: YAMLPosition) -> YAMLFault {
        YAMLFault(at: start, message: "this quotation mark is never closed.")
    }

    /// From the end of a line to the first content below it; how many line ends are between.
    private mutating func skipQuotedBreaks() -> Int {
        var breaks = 0
        while cursor.isAtBreak, !cursor.isAtEnd {
            cursor.nextLine()
            breaks += 1
            guard !cursor.isAtMarker else { return breaks }
            cursor.skipBlanks()
        }
        return breaks
    }

    private mutating func readEscape(into text: inout QuotedText) throws(YAMLFailure) {
        let letter = cursor.byte(ahead: 1)
        if letter == UInt8(ascii: "\n") {
            cursor.advance()
            text.join(skipQuotedBreaks())
            return
        }
        if let digits = Self.digits[Unicode.Scalar(letter)] { return try readCode(digits, into: &text) }
        guard let scalar = Self.escapes[Unicode.Scalar(letter)] else {
            throw fault(
                "'\\\(Unicode.Scalar(letter).isASCII ? String(Unicode.Scalar(letter)) : "…")' is no escape.",
                hint: "Write '\\\\' for a backslash, or use '…'.")
        }
        text.append(scalar)
        cursor.advance(by: 2)
    }

    private mutating func readCode(_ digits: Int, into text: inout QuotedText) throws(YAMLFailure) {
        var code: UInt32 = 0
        for index in 0..<digits {
            guard let digit = Unicode.Scalar(cursor.byte(ahead: 2 + index)).hexadecimal else {
                throw fault("an escape needs \(digits) hexadecimal digits here.")
            }
            code = code << 4 | digit
        }
        guard let scalar = Unicode.Scalar(code) else { throw fault("this escape is no character.") }
        text.append(scalar)
        cursor.advance(by: 2 + digits)
    }

    private static let digits: [Unicode.Scalar: Int] = ["x": 2, "u": 4, "U": 8]

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "0": "\0", "a": "\u{7}", "b": "\u{8}", "t": "\t", "\t": "\t", "n": "\n", "v": "\u{B}", "f": "\u{C}", "r": "\r",
        "e": "\u{1B}", " ": " ", "\"": "\"", "/": "/", "\\": "\\", "N": "\u{85}", "_": "\u{A0}", "L": "\u{2028}",
        "P": "\u{2029}",
    ]
}

extension Unicode.Scalar {
    fileprivate var hexadecimal: UInt32? {
        switch self {
        case "0"..."9": value - 0x30
        case "a"..."f": value - 0x61 + 10
        case "A"..."F": value - 0x41 + 10
        default: nil
        }
    }
}

/// The content of a text in quotes. Blanks around a line end do not belong to it.
private struct QuotedText {
    private var bytes: [UInt8] = []
    /// Blanks that are only kept if no line end follows.
    private var blanks: [UInt8] = []

    mutating func append(_ byte: UInt8) {
        keepBlanks()
        bytes.append(byte)
    }

    mutating func append(blank: UInt8) { blanks.append(blank) }

    mutating func append(_ scalar: Unicode.Scalar) {
        keepBlanks()
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    mutating func fold(_ breaks: Int) {
        blanks = []
        bytes.append(contentsOf: YAMLParser.fold(breaks).utf8)
    }

    /// Behind a backslash at the end of a line the blanks before it are kept, and the line end is not.
    mutating func join(_ breaks: Int) {
        keepBlanks()
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: max(0, breaks - 1)))
    }

    private mutating func keepBlanks() {
        bytes.append(contentsOf: blanks)
        blanks = []
    }

    var text: String { String(decoding: bytes + blanks, as: UTF8.self) }
}
