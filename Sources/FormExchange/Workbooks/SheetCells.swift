import DocumentValues

/// The cells of a sheet's part: numbers, texts, results of formulas.
struct SheetCells: MarkupHandler {
    private let file: String
    private let name: String
    private let shared: [String]
    private let formats: NumberFormats
    private let begins1904: Bool
    /// Cells that the workbook may still have.
    private(set) var room: Int

    private(set) var rows: [SheetRow] = []
    private var row = 0
    private var column = -1
    private var cells: [SheetCell] = []
    private var cell: OpenCell?
    private var path: [String] = []
    /// Rows behind too many empty ones belong to something else.
    private var isOver = false

    private struct OpenCell {
        let type: String
        let style: Int
        var value = ""
        var inline = ""
        var hasFormula = false
    }

    init(
        file: String, name: String, shared: [String], formats: NumberFormats, begins1904: Bool, room: Int
    ) {
        self.file = file
        self.name = name
        self.shared = shared
        self.formats = formats
        self.begins1904 = begins1904
        self.room = room
    }

    mutating func start(_ tag: MarkupTag) throws(FormFileError) {
        path.append(tag.local)
        guard !isOver else { return }
        switch tag.local {
        case "row":
            row = tag["r"].flatMap { Int($0) } ?? row + 1
            column = -1
            cells = []
        case "c":
            column = tag["r"].flatMap { ColumnLetters.address($0)?.column } ?? column + 1
            cell = OpenCell(type: tag["t"] ?? "n", style: tag["s"].flatMap { Int($0) } ?? 0)
        case "f": cell?.hasFormula = true
        default: break
        }
    }

    mutating func text(_ text: String) {
        guard !isOver, cell != nil else { return }
        switch path.last {
        case "v"?: cell?.value += text
        case "t"? where !path.contains("rPh"): cell?.inline += text
        default: break
        }
    }

    mutating func end() throws(FormFileError) {
        let tag = path.popLast()
        guard !isOver else { return }
        switch tag {
        case "c"?: try endCell()
        case "row"?: try endRow()
        default: break
        }
    }

    private mutating func endCell() throws(FormFileError) {
        guard let cell else { return }
        self.cell = nil
        // A cell far to the right is no part of a form.
        guard column < FormExchangeLimits.columns else { return }
        let text = text(of: cell)
        guard text.utf8.count <= FormExchangeLimits.cell else {
            throw FormFileError(
                .tooLarge(
                    "\(name)!\(ColumnLetters.text(column))\(row)", limit: "\(FormExchangeLimits.cell >> 10) KB"),
                file: file)
        }
        if text.isEmpty, cell.hasFormula {
            cells.append(SheetCell(column: column, text: "", origin: .uncalculated))
        } else if !text.isEmpty {
            cells.append(SheetCell(column: column, text: text, origin: cell.type == "e" ? .error : .value))
        }
    }

    private mutating func endRow() throws(FormFileError) {
        guard !cells.isEmpty else { return }
        let last = rows.last?.number ?? 0
        if row - last > FormExchangeLimits.emptyRows, last > 0 {
            isOver = true
            return
        }
        room -= cells.count
        guard room >= 0, row <= FormExchangeLimits.rows else {
            let limit = room < 0 ? "\(FormExchangeLimits.cells) cells" : "\(FormExchangeLimits.rows) rows"
            throw FormFileError(.tooLarge("the sheet '\(name)'", limit: limit), file: file)
        }
        // A damaged workbook may have its rows in any order.
        guard row > last else { return }
        rows.append(SheetRow(number: row, cells: inOrder(cells)))
        cells = []
    }

    /// The first of several cells with one address.
    private func inOrder(_ cells: [SheetCell]) -> [SheetCell] {
        let isOrdered = zip(cells, cells.dropFirst()).allSatisfy { $0.column < $1.column }
        if isOrdered { return cells }
        var seen: Set<Int> = []
        return cells.filter { seen.insert($0.column).inserted }.sorted { $0.column < $1.column }
    }

    private func text(of cell: OpenCell) -> String {
        switch cell.type {
        case "s":
            guard let index = Int(cell.value.trimmingSpaces), shared.indices.contains(index) else { return "" }
            return shared[index]
        case "inlineStr": return cell.inline
        case "b":
            switch cell.value.trimmingSpaces {
            case "": return ""
            case "0", "false": return "FALSE"
            default: return "TRUE"
            }
        case "d": return cell.value.replacing("T", with: " ")
        case "n":
            guard let number = Double(cell.value.trimmingSpaces) else { return cell.value }
            if formats.isDate(cell.style), let date = CellNumber.date(number, begins1904: begins1904) { return date }
            return CellNumber.text(number)
        default: return cell.value
        }
    }
}
