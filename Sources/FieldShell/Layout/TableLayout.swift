import DocumentValues

/// Lays out the rows of a table, which come in portions, for a screen of some width. The widths of a portion are at least
/// those of the one before it, as far as the screen has room for them, so that long lists stay in columns.
struct TableLayout: Sendable {
    private let columns: [String]
    /// Whether ids are never cut, because a program reads them or a person types them again.
    private let keepsIDs: Bool
    private let width: Int
    /// Those of the portion before; `nil` before the first one.
    private var widths: [Int]?
    /// What the rows so far would take.
    private var whole: [Int]
    /// Whether the screen is too narrow for columns.
    private var isStacked = false
    private var numberWidth = 0

    /// Cells that no column is cut below: a date and an id stay whole.
    private static let leastWidth = 12
    /// The least width of texts, which are recognized by their beginning.
    private static let leastText = 8
    /// Has its most important word at its end: `2026-03-04, overdue`.
    private static let due = "DUE"
    private static let texts: Set = ["SITE", "ADDRESS", "FINDING", "WHAT", "WHY", "FOUND", "FORM", "WHO"]

    init(columns: [String], keepsIDs: Bool, width: Int) {
        self.columns = columns
        self.keepsIDs = keepsIDs
        self.width = width
        whole = columns.map(\.displayWidth)
    }

    private var room: Int { width - 2 * (columns.count - 1) }

    /// Lines with two spaces between columns; the first ones with their heading. Where the screen is too narrow, the widest
    /// columns are cut first; where it is much too narrow, each row becomes several lines.
    mutating func lines(of rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map { TableCell($0) } }
        let isBegun = widths != nil
        measure(rows)
        guard !isStacked, let fitted = self.fitted() else {
            isStacked = true
            return stacked(rows)
        }
        widths = fitted
        let id = columns.firstIndex(of: "ID")
        let heading = isBegun ? [] : [line(columns.map { TableCell($0) }, id: id, widths: fitted)]
        return heading + rows.map { line($0, id: id, widths: fitted) }
    }

    /// The same if nothing has to be cut, and was cut before; `nil` otherwise.
    mutating func wholeLines(of rows: [[String]]) -> [String]? {
        var next = self
        next.measure(rows.map { $0.map { TableCell($0) } })
        guard next.whole.reduce(0, +) <= room else { return nil }
        return lines(of: rows)
    }

    private mutating func measure(_ rows: [[TableCell]]) {
        for row in rows {
            for (column, cell) in row.enumerated() where cell.width > whole[column] { whole[column] = cell.width }
        }
    }

    // MARK: Widths

    /// `nil` where the screen is too narrow.
    private func fitted() -> [Int]? {
        let least = least(of: whole, in: room)
        guard least.reduce(0, +) <= room else { return nil }
        guard let widths else { return Self.cut(whole, to: room, least: least) }
        // Columns that are wider than before are cut first, so that all stay where they are.
        let kept = zip(widths, least).map { max($0, $1) }
        let wider = zip(whole, kept).map { max($0, $1) }
        return Self.cut(Self.cut(wider, to: room, least: kept), to: room, least: least)
    }

    private static func cut(_ widths: [Int], to room: Int, least: [Int]) -> [Int] {
        var widths = widths
        while widths.reduce(0, +) > room,
            let widest = widths.indices.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
        {
            widths[widest] -= 1
        }
        return widths
    }

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

    // MARK: Lines

    /// - Parameter id: the column of ids.
    private func line(_ row: [TableCell], id: Int?, widths: [Int]) -> String {
        var line = ""
        for (index, cell) in row.enumerated() {
            let isWhole = cell.width <= widths[index]
            let text =
                isWhole
                ? cell.text : index == id ? cell.text.cutInMiddle(to: widths[index]) : cell.text.cut(to: widths[index])
            line += text
            if index < row.count - 1 {
                let spaces = widths[index] - (isWhole ? cell.width : text.displayWidth) + 2
                line += String(repeating: " ", count: spaces)
            }
        }
        return line.withoutSpacesAtEnd
    }

    /// Each row in several lines: as many cells as fit in the first, the others below it, broken at spaces. There is no
    /// heading, so a number has its column's name beside it.
    private mutating func stacked(_ rows: [[TableCell]]) -> [String] {
        let first = columns.first == "#" ? 1 : 0
        if first == 1 { numberWidth = rows.reduce(numberWidth) { max($0, $1[0].width) } }
        return rows.flatMap { row in
            let number = first == 1 ? row[0].text.padded(to: numberWidth) + "  " : ""
            let cells = zip(columns, row).dropFirst(first).filter { !$0.1.text.isEmpty }.map { column, cell in
                Int(cell.text) == nil || column == "ID" ? cell.text : "\(column.lowercased()) \(cell.text)"
            }
            return stacked(cells, behind: number, keepsFirst: keepsIDs && columns[first...].first == "ID")
        }
    }

    private func stacked(_ cells: [String], behind number: String, keepsFirst: Bool) -> [String] {
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
        return [keepsFirst && taken == 1 ? head : head.cut(to: width)]
            + (rest.isEmpty ? [] : (margin + rest).wrapped(to: width))
    }
}
