import DocumentValues

/// Columns of text for a screen of some width.
struct TextTable {
    let columns: [String]
    let rows: [[String]]
    /// Whether ids are never cut, because a program reads them or a person types them again.
    var keepsIDs = false

    /// Cells that no column is cut below: a date and an id stay whole.
    private static let leastWidth = 12
    /// The least width of texts, which are recognized by their beginning.
    private static let leastText = 8
    /// Has its most important word at its end: `2026-03-04, overdue`.
    private static let due = "DUE"
    private static let texts: Set = ["SITE", "ADDRESS", "FINDING", "WHAT", "WHY", "FOUND", "FORM", "WHO"]

    /// The width to which a column may be cut.
    private func least(_ column: Int, of width: Int) -> Int {
        if columns[column] == "#" || (keepsIDs && columns[column] == "ID") { return width }
        return min(width, Self.texts.contains(columns[column]) ? Self.leastText : Self.leastWidth)
    }

    /// The widths to which columns may be cut; the column of due days is not cut as long as it is enough to cut the
    /// others.
    private func least(of widths: [Int], in room: Int) -> [Int] {
        let least = widths.indices.map { self.least($0, of: widths[$0]) }
        let wholeDue = widths.indices.map { columns[$0] == Self.due ? widths[$0] : least[$0] }
        return wholeDue.reduce(0, +) <= room ? wholeDue : least
    }

    /// Whether nothing has to be cut.
    func isWhole(width: Int) -> Bool {
        widths(shownRows).reduce(0, +) + 2 * (columns.count - 1) <= width
    }

    /// A line end in a cell would be taken for another row; and a name may be as long as a record.
    private var shownRows: [[String]] {
        rows.map { row in row.map { $0.shortened(toScalars: ShellLimits.cell).printableLine } }
    }

    private func widths(_ rows: [[String]]) -> [Int] {
        columns.indices.map { column in
            rows.reduce(columns[column].displayWidth) { max($0, $1[column].displayWidth) }
        }
    }

    /// Lines with two spaces between columns. Where the screen is too narrow, the widest columns are cut first; where
    /// it is much too narrow, each row becomes several lines.
    func lines(width: Int) -> [String] {
        let rows = shownRows
        var widths = widths(rows)
        let room = width - 2 * (columns.count - 1)
        let least = least(of: widths, in: room)
        guard least.reduce(0, +) <= room else { return stacked(rows, width: width) }
        while widths.reduce(0, +) > room,
            let widest = widths.indices.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
        {
            widths[widest] -= 1
        }
        let id = columns.firstIndex(of: "ID")
        return [line(columns, id: id, widths: widths)] + rows.map { line($0, id: id, widths: widths) }
    }

    /// - Parameter id: the column of ids.
    private func line(_ row: [String], id: Int?, widths: [Int]) -> String {
        var line = ""
        for (index, cell) in row.enumerated() {
            let width = cell.displayWidth
            let isWhole = width <= widths[index]
            let text = isWhole ? cell : index == id ? cell.cutInMiddle(to: widths[index]) : cell.cut(to: widths[index])
            line += text
            if index < row.count - 1 {
                line += String(repeating: " ", count: widths[index] - (isWhole ? width : text.displayWidth) + 2)
            }
        }
        return line.withoutSpacesAtEnd
    }

    /// Each row in several lines: as many cells as fit in the first, the others below it, broken at spaces. There is no
    /// heading, so a number has its column's name beside it.
    private func stacked(_ rows: [[String]], width: Int) -> [String] {
        let first = columns.first == "#" ? 1 : 0
        let numbers = first == 1 ? rows.map { $0[0].displayWidth }.max() ?? 0 : 0
        return rows.flatMap { row in
            let number = first == 1 ? row[0].padded(to: numbers) + "  " : ""
            let cells = zip(columns, row).dropFirst(first).filter { !$0.1.isEmpty }.map { column, cell in
                Int(cell) == nil || column == "ID" ? cell : "\(column.lowercased()) \(cell)"
            }
            var head = number
            var taken = 0
            for cell in cells {
                let next = taken == 0 ? cell : "  " + cell
                guard taken == 0 || head.displayWidth + next.displayWidth <= width else { break }
                head += next
                taken += 1
            }
            let rest = cells.dropFirst(taken).joined(separator: "  ")
            let margin = String(repeating: " ", count: max(2, number.displayWidth))
            let isID = keepsIDs && columns[first...].first == "ID"
            return [isID && taken == 1 ? head : head.cut(to: width)]
                + (rest.isEmpty ? [] : (margin + rest).wrapped(to: width))
        }
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
