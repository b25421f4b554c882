/// Columns of text for a screen of some width.
struct TextTable {
    let columns: [String]
    let rows: [[String]]

    /// Cells that no column is cut below: a date and an id stay whole.
    private static let leastWidth = 12

    /// Lines with two spaces between columns. Where the screen is too narrow, the widest columns are cut first; where
    /// it is much too narrow, each row becomes a few lines.
    func lines(width: Int) -> [String] {
        let all = [columns] + rows
        var widths = columns.indices.map { column in all.map { $0[column].displayWidth }.max() ?? 0 }
        let room = width - 2 * (columns.count - 1)
        guard widths.map({ min($0, Self.leastWidth) }).reduce(0, +) <= room else { return stacked(width: width) }
        while widths.reduce(0, +) > room, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
            widths[widest] -= 1
        }
        return all.map { row in
            var line = ""
            for (index, cell) in row.enumerated() {
                let text = cell.cut(to: widths[index])
                line += text
                if index < row.count - 1 {
                    line += String(repeating: " ", count: widths[index] - text.displayWidth + 2)
                }
            }
            return line.trimmingEnd
        }
    }

    /// A row as its number, if it has one, and its first cell, then a line for each further cell that is not empty.
    private func stacked(width: Int) -> [String] {
        let first = columns.first == "#" ? 1 : 0
        let further = columns.indices.dropFirst(first + 1)
        let labels = further.map { columns[$0].displayWidth }.max() ?? 0
        return rows.flatMap { row in
            let head = row.prefix(first + 1).joined(separator: "  ")
            return [head.cut(to: width)]
                + further.filter { !row[$0].isEmpty }.map { column in
                    let space = String(repeating: " ", count: labels - columns[column].displayWidth + 2)
                    return ("  " + columns[column] + space + row[column]).cut(to: width)
                }
        }
    }
}

extension String {
    /// Cells of a terminal: two for the wide characters of East Asia and for pictures, none for marks that combine.
    var displayWidth: Int {
        unicodeScalars.reduce(0) { $0 + $1.displayWidth }
    }

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

    fileprivate var trimmingEnd: String {
        var text = Substring(self)
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// Safe to print: control characters, which could move the cursor or worse, are shown as a question mark.
    var printable: String {
        guard unicodeScalars.contains(where: { $0.isControl }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl && $0 != "\n" ? "?" : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    fileprivate var displayWidth: Int {
        if properties.isGraphemeExtend || value == 0x200D { return 0 }
        return switch value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
