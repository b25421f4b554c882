import DocumentValues

/// Columns of text for a screen of some width, all of whose rows are there.
struct TextTable {
    let columns: [String]
    let rows: [[String]]
    /// Whether ids are never cut, because a program reads them or a person types them again.
    var keepsIDs = false

    /// Whether nothing has to be cut.
    func isWhole(width: Int) -> Bool {
        var layout = TableLayout(columns: columns, keepsIDs: keepsIDs, width: width)
        return layout.wholeLines(of: rows) != nil
    }

    /// As `TableLayout` lays them out.
    func lines(width: Int) -> [String] {
        var layout = TableLayout(columns: columns, keepsIDs: keepsIDs, width: width)
        return layout.lines(of: rows)
    }
}

extension String {
    /// Cells of a terminal: two for the wide characters of East Asia and for pictures, none for marks that combine.
    package var displayWidth: Int {
        let bytes = utf8
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.count }
        return unicodeScalars.reduce(0) { $0 + $1.displayWidth }
    }

    /// With spaces at its end up to so many cells.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - displayWidth)) }

    /// The text, cut with an ellipsis to so many cells.
    func cut(to width: Int) -> String {
        guard displayWidth > width, width > 0 else { return width > 0 ? self : "" }
        var text = ""
        var used = 0
        for character in self {
            let next = String(character).displayWidth
            if used + next > width - 1 { break }
            text.append(character)
            used += next
        }
        return text + "…"
    }

    /// The same with the ellipsis in the middle: ids that an import made differ at their ends.
    func cutInMiddle(to width: Int) -> String {
        guard displayWidth > width, width > 2 else { return cut(to: width) }
        let end = String(reversed()).cut(to: width / 2)
        return cut(to: width - end.displayWidth + 1) + String(end.dropLast().reversed())
    }

    /// Without spaces at its end.
    var withoutSpacesAtEnd: String {
        guard utf8.last == UInt8(ascii: " ") else { return self }
        if utf8.allSatisfy({ $0 < 0x80 }) {
            let last = utf8.lastIndex { $0 != UInt8(ascii: " ") }
            return String(self[..<(last.map { utf8.index(after: $0) } ?? startIndex)])
        }
        var text = Substring(self)
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        // Before the first combining mark all have one cell.
        if value < 0x300 { return 1 }
        if properties.isGraphemeExtend || value == 0x200D { return 0 }
        if properties.isEmojiPresentation { return 2 }
        return switch value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
