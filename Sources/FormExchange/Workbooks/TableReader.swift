import DocumentValues

/// Reads sheets from tables of text: one CSV file with all of them, a folder of CSV files, tables of Markdown.
package enum TableReader {
    /// One CSV file: a row whose first cell is not empty names a sheet; the rows of the sheet have an empty first cell.
    ///
    /// - Throws: `FormFileError` beyond a limit.
    package static func csv(_ bytes: [UInt8], file: String) throws(FormFileError) -> Workbook {
        try check(bytes, file: file)
        return try workbook(
            CSVReader(bytes, keepsEmptyLines: true).lazy.map { TextRow(cells: $0.fields, defect: $0.defect) },
            file: file)
    }

    /// A CSV file that is one sheet, named as the file is.
    ///
    /// - Throws: `FormFileError` beyond a limit.
    package static func sheet(_ bytes: [UInt8], file: String) throws(FormFileError) -> Sheet {
        try check(bytes, file: file)
        var builder = SheetBuilder(file: file)
        builder.begin(stem(of: file))
        for row in CSVReader(bytes, keepsEmptyLines: true) {
            try builder.append(row.fields, defect: row.defect)
        }
        return builder.sheets[0]
    }

    /// A folder of CSV files: `survey.csv`, `choices.csv`, `settings.csv`.
    ///
    /// - Throws: `FormFileError` beyond a limit.
    package static func folder(_ files: [(name: String, bytes: [UInt8])]) throws(FormFileError) -> Workbook {
        var book = Workbook(layout: .table, sheets: [])
        for file in files { book.sheets.append(try sheet(file.bytes, file: file.name)) }
        return book
    }

    /// Tables of Markdown, in the layout of the one CSV file: `| survey |`, then `| | type | name |`.
    ///
    /// - Throws: `FormFileError` beyond a limit.
    package static func markdown(_ bytes: [UInt8], file: String) throws(FormFileError) -> Workbook {
        try check(bytes, file: file)
        let lines = String(decoding: bytes, as: UTF8.self).utf8.split(omittingEmptySubsequences: true) {
            $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        return try workbook(
            lines.lazy.compactMap { MarkdownRow.cells(of: Substring($0)).map { TextRow(cells: $0) } }, file: file)
    }

    private static func check(_ bytes: [UInt8], file: String) throws(FormFileError) {
        guard bytes.count <= FormExchangeLimits.file else {
            throw FormFileError(.tooLarge("the file", limit: "\(FormExchangeLimits.file >> 20) MB"), file: file)
        }
    }

    private struct TextRow {
        let cells: [String]
        var defect: CSVDefect?
    }

    private static func workbook(_ rows: some Sequence<TextRow>, file: String) throws(FormFileError) -> Workbook {
        var builder = SheetBuilder(file: file)
        for row in rows {
            let rest = Array(row.cells.dropFirst())
            if let name = row.cells.first?.trimmingSpaces, !name.isEmpty {
                builder.begin(name)
                // The header may be beside the name.
                guard rest.contains(where: { !$0.trimmingSpaces.isEmpty }) || row.defect != nil else { continue }
            }
            try builder.append(rest, defect: row.defect)
        }
        return Workbook(layout: .table, sheets: builder.sheets)
    }

    private static func stem(of file: String) -> String {
        guard let point = file.utf8.lastIndex(of: UInt8(ascii: ".")) else { return file }
        return String(file[..<point])
    }
}

/// Gathers rows into sheets.
private struct SheetBuilder {
    let file: String
    private(set) var sheets: [Sheet] = []
    private var number = 0
    private var cells = 0

    init(file: String) { self.file = file }

    mutating func begin(_ name: String) {
        sheets.append(Sheet(name: name, rows: []))
        number = 0
    }

    /// Rows before the first sheet belong to none.
    mutating func append(_ texts: [String], defect: CSVDefect?) throws(FormFileError) {
        guard !sheets.isEmpty else { return }
        number += 1
        var row = SheetRow(number: number, texts: Array(texts.prefix(FormExchangeLimits.columns)))
        row.defect = defect
        guard !row.cells.isEmpty || defect != nil else { return }
        cells += row.cells.count
        if let long = row.cells.first(where: { $0.text.utf8.count > FormExchangeLimits.cell }) {
            throw FormFileError(
                .tooLarge(
                    "row \(number), column \(long.column + 1)", limit: "\(FormExchangeLimits.cell >> 10) KB"),
                file: file)
        }
        guard number <= FormExchangeLimits.rows, cells <= FormExchangeLimits.cells,
            sheets.count <= FormExchangeLimits.sheets
        else {
            throw FormFileError(
                .tooLarge("the sheet '\(sheets[sheets.count - 1].name)'", limit: "\(FormExchangeLimits.rows) rows"),
                file: file)
        }
        sheets[sheets.count - 1].rows.append(row)
    }
}

/// A line of a table of Markdown.
private enum MarkdownRow {
    /// Its cells; `nil` for lines that are no row, or the line below a header.
    static func cells(of line: Substring) -> [String]? {
        let text = line.trimmingSpaces
        guard text.utf8.first == UInt8(ascii: "|") else { return nil }
        var cells: [String] = []
        var cell: [UInt8] = []
        var isEscaped = false
        for byte in text.utf8.dropFirst() {
            if isEscaped, byte != UInt8(ascii: "|") { cell.append(UInt8(ascii: "\\")) }
            if byte == UInt8(ascii: "|"), !isEscaped {
                cells.append(String(decoding: cell, as: UTF8.self).trimmingSpaces)
                cell = []
            } else if byte != UInt8(ascii: "\\") || isEscaped {
                cell.append(byte)
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        let rest = String(decoding: cell, as: UTF8.self).trimmingSpaces
        if !rest.isEmpty { cells.append(rest) }
        let isRule = !cells.isEmpty && cells.allSatisfy { isRuler($0) } && cells.contains { !$0.isEmpty }
        return isRule ? nil : cells
    }

    /// `---` or `:--:`.
    private static func isRuler(_ cell: String) -> Bool {
        cell.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":") }
    }
}
