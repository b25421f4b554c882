import DocumentValues
import FormLogic

/// A sheet whose columns are known by their headers.
struct SheetTable<Column: SheetColumn> {
    /// Which sheet this is, for positions: `survey`.
    let origin: SheetOrigin
    private(set) var columns: [TableColumn<Column>] = []
    private(set) var rows: [TableRow<Column>] = []

    /// - Parameter findings: gets one about each header that is not used.
    init(
        _ sheet: Sheet, named name: Name, layout: Workbook.Layout, collapsesSpaces: Bool,
        findings: inout FormFindings
    ) {
        origin = SheetOrigin(sheet: name, layout: layout)
        guard let header = sheet.rows.first else { return }
        columns = Self.columns(of: header, origin: origin)
        reportHeader(row: header.number, to: &findings)
        let byPosition = Dictionary(uniqueKeysWithValues: columns.map { ($0.position, $0) })
        var last = header.number
        var unnamed: SheetSpot?
        for row in sheet.rows.dropFirst() {
            guard row.number - last <= FormExchangeLimits.emptyRows else { break }
            last = row.number
            var read = TableRow<Column>(origin: origin, number: row.number)
            for cell in row.cells {
                let text = CellText.cleaned(cell.text, collapsesSpaces: collapsesSpaces)
                guard let column = byPosition[cell.column] else {
                    if unnamed == nil, !text.isEmpty { unnamed = SheetSpot(row: row.number, column: cell.column) }
                    continue
                }
                report(cell, column: column, row: row.number, to: &findings)
                if !text.isEmpty { read.add(RowCell(text: text, column: column)) }
            }
            if !read.isEmpty { rows.append(read) }
        }
        if let unnamed { reportUnnamed(unnamed, to: &findings) }
    }

    private static func columns(of header: SheetRow, origin: SheetOrigin) -> [TableColumn<Column>] {
        var cells: [(position: Int, header: String)] = []
        var last = -1
        for cell in header.cells {
            guard cell.column - last <= FormExchangeLimits.emptyColumns else { break }
            let text = CellText.cleaned(cell.text, collapsesSpaces: false)
            guard !text.isEmpty else { continue }
            last = cell.column
            cells.append((cell.column, text))
        }
        let isDouble = cells.contains { $0.header.containsBytes(of: "::") }
        return cells.map { cell in
            TableColumn(
                position: cell.position, header: cell.header,
                use: HeaderText<Column>.use(of: cell.header, isDouble: isDouble))
        }
    }

    /// Each column once, and a note about those that are not read.
    private mutating func reportHeader(row: Int, to findings: inout FormFindings) {
        var first: [ColumnKey<Column>: TableColumn<Column>] = [:]
        var unknown: [TableColumn<Column>] = []
        for column in columns {
            switch column.use {
            case .column(let known, let language):
                let key = ColumnKey(column: known, language: language.map { Name($0) })
                if let other = first[key] {
                    findings.add(
                        FormFinding(
                            .badColumn, at: origin.position(row: row, column: column.position, header: column.header),
                            message: "'\(other.header)' and '\(column.header)' are the same column.",
                            hint: "Keep one of them."))
                } else {
                    first[key] = column
                }
            case .unknown, .attribute: unknown.append(column)
            case .data, .foreign: break
            }
        }
        reportUnknown(unknown, row: row, to: &findings)
    }

    private func reportUnknown(_ columns: [TableColumn<Column>], row: Int, to findings: inout FormFindings) {
        guard let first = columns.first else { return }
        let names = columns.map { "'\($0.header)'" }.joined(separator: ", ")
        let near = NearName.hint(first.header, among: Column.allCases.map(\.rawValue))
        findings.add(
            FormFinding(
                .ignored, at: origin.position(row: row, column: first.position, header: first.header),
                message: "\(columns.count == 1 ? "this column is" : "these columns are") not used: \(names).",
                hint: near))
    }

    private func report(
        _ cell: SheetCell, column: TableColumn<Column>, row: Int, to findings: inout FormFindings
    ) {
        switch (cell.origin, column.use) {
        case (.value, _), (_, .foreign), (_, .unknown): return
        case (.error, _):
            findings.add(
                FormFinding(
                    .unreadable, at: origin.position(row: row, column: column.position, header: column.header),
                    message: "the cell holds the spreadsheet's error '\(cell.text)'."))
        case (.uncalculated, _):
            findings.add(
                FormFinding(
                    .unreadable, at: origin.position(row: row, column: column.position, header: column.header),
                    message: "the result of this formula was not saved.",
                    hint: "Open the workbook in a spreadsheet and save it."))
        }
    }

    private func reportUnnamed(_ cell: SheetSpot, to findings: inout FormFindings) {
        findings.add(
            FormFinding(
                .ignored, at: origin.position(row: cell.row, column: cell.column, header: nil),
                message: "column \(ColumnLetters.text(cell.column)) has no header; its cells are not read."))
    }
}

/// Which cell of a sheet; the column is counted from 0.
private struct SheetSpot {
    let row: Int
    let column: Int
}

private struct ColumnKey<Column: SheetColumn>: Hashable {
    let column: Column
    let language: Name?
}

/// The sheet that a position is in.
struct SheetOrigin: Sendable {
    let sheet: Name
    let layout: Workbook.Layout

    /// - Parameter column: counted from 0.
    func position(row: Int, column: Int, header: String?) -> SourcePosition {
        switch layout {
        case .spreadsheet: .cell(sheet: sheet, row: row, column: column + 1)
        case .table: .row(sheet: sheet, row: row, heading: header.map { Name($0) })
        }
    }
}

struct TableColumn<Column: SheetColumn> {
    /// Counted from 0.
    let position: Int
    let header: String
    let use: HeaderText<Column>.Use
}

struct RowCell<Column: SheetColumn> {
    let text: String
    let column: TableColumn<Column>
}

/// A row's cells by their columns; none is empty.
struct TableRow<Column: SheetColumn> {
    let origin: SheetOrigin
    let number: Int
    private var plain: [Column: RowCell<Column>] = [:]
    private var translated: [Column: [RowCell<Column>]] = [:]
    /// Under headers that are data or attributes, in the order of the columns.
    private(set) var others: [RowCell<Column>] = []

    init(origin: SheetOrigin, number: Int) {
        self.origin = origin
        self.number = number
    }

    var isEmpty: Bool { plain.isEmpty && translated.isEmpty && others.isEmpty }

    /// The text in a column, or in that without a language.
    subscript(column: Column) -> String? { plain[column]?.text }

    func cell(_ column: Column) -> RowCell<Column>? { plain[column] ?? translated[column]?.first }

    func translations(_ column: Column) -> [RowCell<Column>] { translated[column] ?? [] }

    func has(_ column: Column) -> Bool { plain[column] != nil || translated[column] != nil }

    mutating func add(_ cell: RowCell<Column>) {
        switch cell.column.use {
        case .column(let column, nil): if plain[column] == nil { plain[column] = cell }
        case .column(let column, _?): translated[column, default: []].append(cell)
        case .data, .attribute: others.append(cell)
        case .foreign, .unknown: break
        }
    }

    /// Of a cell, or of the row where the column is empty.
    func position(_ column: Column? = nil) -> SourcePosition {
        if let column, let cell = cell(column) { return position(cell) }
        // In a workbook, the row is its first cell.
        return origin.position(row: number, column: 0, header: nil)
    }

    func position(_ cell: RowCell<Column>) -> SourcePosition {
        origin.position(row: number, column: cell.column.position, header: cell.column.header)
    }
}
