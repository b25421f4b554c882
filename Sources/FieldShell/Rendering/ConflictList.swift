import DocumentValues

/// The list of conflicts as text, portion by portion: in columns as long as nothing has to be cut. The contested values and
/// their record are never cut.
struct ConflictList: Sendable {
    private let renderer: TextRenderer
    private var table: TableLayout
    private var isTable = true
    private var isBegun = false

    private static let heading =
        "Different values were given on two devices. Until you decide, one is current and the others are kept:"

    init(_ renderer: TextRenderer) {
        self.renderer = renderer
        table = TableLayout(
            columns: (renderer.numbersRows ? ["#"] : []) + ["RECORD", "TO DECIDE"], keepsIDs: false,
            width: renderer.width)
    }

    mutating func lines(of rows: [ConflictRow]) -> [String] {
        defer { isBegun = true }
        return (isBegun ? [] : [Self.heading]) + (tableLines(of: rows) ?? rows.flatMap(wrapped))
    }

    private mutating func tableLines(of rows: [ConflictRow]) -> [String]? {
        guard isTable else { return nil }
        let lines = table.wholeLines(
            of: rows.map { row in (renderer.numbersRows ? [String(row.number)] : []) + [row.title, row.subjects] })
        isTable = lines != nil
        return lines
    }

    /// Two lines or more: the record, and its contested values.
    private func wrapped(_ row: ConflictRow) -> [String] {
        let number = renderer.numbersRows ? "\(row.number)  " : ""
        let margin = String(repeating: " ", count: max(2, number.utf8.count))
        return renderer.wrapped(number + row.title.printableLine, hanging: margin.utf8.count)
            + renderer.wrapped(margin + "to decide: " + row.subjects.printableLine, hanging: margin.utf8.count)
    }
}
