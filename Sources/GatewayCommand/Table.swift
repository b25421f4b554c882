/// Columns for a person to read.
enum Table {
    /// Two spaces between columns, none behind the last one. Control characters, which could act on a terminal, are
    /// replaced.
    static func lines(_ rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map(printable) }
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let isLast = column == row.count - 1
                line += cell + (isLast ? "" : String(repeating: " ", count: widths[column] + 2 - cell.count))
            }
            return line
        }
    }

    /// A text without characters that move the cursor or turn the direction of writing.
    static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
