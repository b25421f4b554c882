import DocumentValues

/// The cells of all sheets in the content of an OpenDocument workbook. Rows and cells may be written once for many that are
/// equal.
struct OpenDocumentCells: MarkupHandler {
    private let file: String
    private(set) var sheets: [Sheet] = []

    private var path: [Element] = []
    /// Tables in each other: one in a cell or in a drawing is no sheet.
    private var depth = 0
    private var row = 0
    private var rowCount = 1
    private var column = 0
    private var cells: [SheetCell] = []
    private var cell: OpenDocumentCell?
    private var room = FormExchangeLimits.cells
    /// Rows behind too many empty ones belong to something else.
    private var isOver = false

    private enum Element {
        case table, row, cell, paragraph
        /// A remark on a cell, or a drawing: its texts are not those of the cell.
        case remark
        case other
    }

    init(file: String) { self.file = file }

    // MARK: Elements

    mutating func start(_ tag: MarkupTag) throws(FormFileError) {
        let element = Self.element(tag)
        path.append(element)
        switch element {
        case .table:
            depth += 1
            if depth == 1 { try beginSheet(tag) }
        case .row where depth == 1:
            rowCount = Self.count(tag["number-rows-repeated", in: .table])
            (column, cells) = (0, [])
        case .cell where depth == 1: cell = OpenDocumentCell(tag)
        case .paragraph where isInCell: cell?.beginParagraph()
        case .other where isInCell: cell?.add(tag)
        case .row, .cell, .paragraph, .remark, .other: break
        }
    }

    private static func element(_ tag: MarkupTag) -> Element {
        switch (tag.namespace, tag.local) {
        case (.table, "table"): .table
        case (.table, "table-row"): .row
        case (.table, "table-cell"), (.table, "covered-table-cell"): .cell
        case (.officeText, "p"): .paragraph
        case (.office, "annotation"), (.table, "shapes"): .remark
        case (.other, "frame"), (.other, "custom-shape"): .remark
        default: .other
        }
    }

    /// Whether the present text is one of the present cell.
    private var isInCell: Bool { depth == 1 && cell != nil && !path.contains(.remark) }

    mutating func text(_ text: String) {
        guard isInCell, path.contains(.paragraph) else { return }
        cell?.add(text)
    }

    mutating func end() throws(FormFileError) {
        guard let element = path.popLast() else { return }
        switch element {
        case .table: depth -= 1
        case .row where depth == 1: try endRow()
        case .cell where depth == 1: try endCell()
        case .row, .cell, .paragraph, .remark, .other: break
        }
    }

    /// How often a row or a cell is there; a damaged number counts as one.
    private static func count(_ text: String?) -> Int { text.flatMap { Int($0) }.map { max(1, $0) } ?? 1 }

    // MARK: Sheets

    private mutating func beginSheet(_ tag: MarkupTag) throws(FormFileError) {
        guard sheets.count < FormExchangeLimits.sheets else {
            throw FormFileError(.tooLarge("the number of sheets", limit: "\(FormExchangeLimits.sheets)"), file: file)
        }
        sheets.append(Sheet(name: tag["name", in: .table] ?? "", rows: []))
        (row, isOver) = (0, false)
    }

    private mutating func endCell() throws(FormFileError) {
        guard let cell else { return }
        self.cell = nil
        let first = column
        column += min(cell.count, FormExchangeLimits.columns)
        let (text, origin) = cell.content
        // A cell far to the right is no part of a form.
        guard !isOver, first < FormExchangeLimits.columns, !text.isEmpty || origin == .uncalculated else { return }
        guard text.utf8.count <= FormExchangeLimits.cell else {
            let name = "\(sheets[sheets.count - 1].name)!\(ColumnLetters.text(first))\(row + 1)"
            throw FormFileError(.tooLarge(name, limit: "\(FormExchangeLimits.cell >> 10) KB"), file: file)
        }
        for column in first..<min(column, FormExchangeLimits.columns) {
            cells.append(SheetCell(column: column, text: text, origin: origin))
        }
        try checkRoom(cells.count)
    }

    private mutating func endRow() throws(FormFileError) {
        defer { row = min(row + rowCount, FormExchangeLimits.rows + 1) }
        guard !sheets.isEmpty, !cells.isEmpty, !isOver else { return }
        let last = sheets[sheets.count - 1].rows.last?.number ?? 0
        if row + 1 - last > FormExchangeLimits.emptyRows, last > 0 {
            isOver = true
            return
        }
        for number in row + 1...row + min(rowCount, FormExchangeLimits.rows + 1) {
            try checkRoom(cells.count)
            room -= cells.count
            guard number <= FormExchangeLimits.rows else { throw tooLarge("\(FormExchangeLimits.rows) rows") }
            sheets[sheets.count - 1].rows.append(SheetRow(number: number, cells: cells))
        }
    }

    private func checkRoom(_ count: Int) throws(FormFileError) {
        guard count <= room else { throw tooLarge("\(FormExchangeLimits.cells) cells") }
    }

    private func tooLarge(_ limit: String) -> FormFileError {
        FormFileError(.tooLarge("the sheet '\(sheets[sheets.count - 1].name)'", limit: limit), file: file)
    }
}
