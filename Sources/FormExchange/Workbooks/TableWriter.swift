import DocumentValues

/// Writes sheets as tables of text. Cells stay as they are: another program is to read them.
package enum TableWriter {
    /// One CSV file with all sheets, each below a row with its name.
    package static func csv(_ sheets: [Sheet]) -> [UInt8] {
        var text = ""
        for sheet in sheets {
            append([sheet.name], to: &text)
            append(sheet, isIndented: true, to: &text)
        }
        return Array(text.utf8)
    }

    /// A CSV file with one sheet.
    package static func csv(_ sheet: Sheet) -> [UInt8] {
        var text = ""
        append(sheet, isIndented: false, to: &text)
        return Array(text.utf8)
    }

    private static func append(_ sheet: Sheet, isIndented: Bool, to text: inout String) {
        let width = sheet.rows.compactMap(\.cells.last?.column).max().map { $0 + 1 } ?? 0
        for row in sheet.rows {
            var cells = [String](repeating: "", count: width)
            for cell in row.cells { cells[cell.column] = cell.text }
            append((isIndented ? [""] : []) + cells, to: &text)
        }
    }

    private static func append(_ cells: [String], to text: inout String) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { text += "," }
            let isPlain = cell.utf8.allSatisfy {
                $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") && $0 >= 0x20 && $0 != UInt8(ascii: ";")
            }
            text += isPlain ? cell : "\"\(cell.replacing("\"", with: "\"\""))\""
        }
        text += "\n"
    }
}
