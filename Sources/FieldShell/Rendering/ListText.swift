import DocumentValues

/// The rows of a list as text, portion by portion.
struct ListText: Sendable {
    private let renderer: TextRenderer
    /// That of the last rows.
    private var title: String?
    private var table: TableLayout?
    private var hasContested = false

    init(_ renderer: TextRenderer) { self.renderer = renderer }

    /// Whether there were any rows.
    var isBegun: Bool { table != nil }

    /// The lines behind all rows that explain their marks.
    var legend: [String] { hasContested ? [ConflictMarks.legend] : [] }

    /// - Parameter columns: the same for all portions.
    mutating func lines(of rows: [Listing.Row], columns: [String]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let numbersRows = renderer.numbersRows
        var table =
            table
            ?? TableLayout(
                columns: (numbersRows ? ["#"] : []) + columns, keepsIDs: !numbersRows, width: renderer.width)
        if !hasContested { hasContested = rows.contains { $0.isContested } }
        let lines = table.lines(
            of: rows.map { row in
                numbersRows ? [row.number.map(String.init) ?? ""] + row.markedCells : row.markedCells
            })
        self.table = table
        return lines
    }

    /// - Parameter part: its title is above its rows, unless the former part is of the same group.
    mutating func lines(of part: RecordGroups.Group) -> [String] {
        if title.isExactly(part.title) { return lines(of: part.rows, columns: part.columns) }
        (title, table) = (part.title, nil)
        return [part.title] + lines(of: part.rows, columns: part.columns)
    }
}
