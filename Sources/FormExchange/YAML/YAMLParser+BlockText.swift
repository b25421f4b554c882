import DocumentValues

/// Texts of several lines behind `|`, which keeps line ends, or `>`, which folds them.
extension YAMLParser {
    mutating func blockText(inside indent: Int) throws(YAMLFailure) -> String {
        let isFolded = cursor.byte == UInt8(ascii: ">")
        cursor.advance()
        let header = try blockHeader()
        var column = header.indent.map { max(indent, 0) + $0 }
        if column == nil { column = try contentColumn(inside: indent) }
        guard let column else { return emptyBlock(header) }
        return blockLines(at: column, header: header, isFolded: isFolded)
    }

    private struct BlockHeader {
        /// `-` takes away the line ends at the end of the text, `+` keeps them all; otherwise there is one.
        var chomping: UInt8?
        var indent: Int?
    }

    private mutating func blockHeader() throws(YAMLFailure) -> BlockHeader {
        var header = BlockHeader()
        while true {
            let byte = cursor.byte
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"), header.chomping == nil {
                header.chomping = byte
            } else if (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte), header.indent == nil {
                header.indent = Int(byte - UInt8(ascii: "0"))
            } else {
                break
            }
            cursor.advance()
        }
        cursor.skipBlanks()
        guard cursor.isAtBreak || cursor.isAtComment else {
            throw fault("a text begins behind '|' or '>'.", hint: "Begin it in the next line, or put it in quotes.")
        }
        cursor.skipLine()
        return header
    }

    /// How far the first line with content is indented; `nil` if there is none.
    private mutating func contentColumn(inside indent: Int) throws(YAMLFailure) -> Int? {
        var next = cursor
        var widest = 0
        while !next.isAtEnd {
            next.skipSpaces()
            guard next.isAtBreak else { break }
            widest = max(widest, next.column)
            next.nextLine()
        }
        guard !next.isAtEnd, next.column > max(indent, 0) else { return nil }
        if next.byte == UInt8(ascii: "\t") || widest > next.column {
            cursor = next
            throw widest > next.column
                ? fault("an empty line above this one is indented more than it.") : tabFault()
        }
        return next.column
    }

    /// Only empty lines: with `+` they are the text.
    private mutating func emptyBlock(_ header: BlockHeader) -> String {
        var breaks = 0
        var next = cursor
        while !next.isAtEnd {
            next.skipSpaces()
            guard next.isAtBreak, !next.isAtEnd else { break }
            next.nextLine()
            cursor = next
            breaks += 1
        }
        return header.chomping == UInt8(ascii: "+") ? String(repeating: "\n", count: breaks) : ""
    }

    private mutating func blockLines(at column: Int, header: BlockHeader, isFolded: Bool) -> String {
        var text: [UInt8] = []
        var breaks = 0
        var wasIndented = true
        while let start = blockLine(at: column) {
            guard !cursor.isAtBreak else {
                cursor.nextLine()
                breaks += 1
                continue
            }
            let isIndented = cursor.isAtBlank
            Self.append(breaks, to: &text, folds: isFolded && !wasIndented && !isIndented)
            while !cursor.isAtBreak { cursor.advance() }
            text += cursor.bytes[start..<cursor.offset]
            wasIndented = isIndented
            breaks = cursor.isAtEnd ? 0 : 1
            cursor.nextLine()
        }
        Self.end(&text, breaks: breaks, chomping: header.chomping)
        return String(decoding: text, as: UTF8.self)
    }

    /// Moves to the content of the next line, or to the end of an empty one; `nil` if the line does not belong to the text.
    private mutating func blockLine(at column: Int) -> Int? {
        var next = cursor
        while next.byte == UInt8(ascii: " "), next.column < column { next.advance() }
        guard !next.isAtEnd, next.column == column || next.isAtBreak else { return nil }
        cursor = next
        return next.offset
    }

    /// - Parameter breaks: between two lines with content.
    private static func append(_ breaks: Int, to text: inout [UInt8], folds: Bool) {
        guard folds, !text.isEmpty else {
            text.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: breaks))
            return
        }
        text.append(contentsOf: fold(breaks).utf8)
    }

    private static func end(_ text: inout [UInt8], breaks: Int, chomping: UInt8?) {
        let kept: Int
        switch chomping {
        case UInt8(ascii: "-"): kept = 0
        case UInt8(ascii: "+"): kept = breaks
        default: kept = min(breaks, text.isEmpty ? 0 : 1)
        }
        text.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: kept))
    }
}
