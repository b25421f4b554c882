import DocumentValues

/// Columns for a person to read.
enum Table {
    /// Two spaces between columns, none behind the last one.
    static func lines(_ rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map(\.printableLine) }
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
}
