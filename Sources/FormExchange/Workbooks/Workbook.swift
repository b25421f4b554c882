import DocumentValues

/// Sheets of texts, from a workbook, a table or a folder of tables.
package struct Workbook: Sendable {
    package enum Layout: Sendable {
        /// Cells have addresses: `survey!G14`.
        case spreadsheet
        /// Rows have numbers only.
        case table
    }

    package var layout: Layout
    package var sheets: [Sheet]
    /// Sheets that were not asked for, and not read.
    package var others: [String]

    package init(layout: Layout, sheets: [Sheet], others: [String] = []) {
        self.layout = layout
        self.sheets = sheets
        self.others = others
    }
}

package struct Sheet: Sendable {
    package var name: String
    /// Those with a cell that is not empty, in their order.
    package var rows: [SheetRow]

    package init(name: String, rows: [SheetRow]) {
        self.name = name
        self.rows = rows
    }
}

package struct SheetRow: Sendable {
    /// Counted from 1, as the spreadsheet shows it.
    package var number: Int
    /// Those that are not empty, in the order of their columns.
    package var cells: [SheetCell]
    /// Of a row of CSV, which may have swallowed the rows behind it then.
    package var defect: CSVDefect?

    package init(number: Int, cells: [SheetCell]) {
        self.number = number
        self.cells = cells
    }

    /// The texts of a row from its first column on.
    package init(number: Int, texts: [String]) {
        let cells = texts.enumerated().map { SheetCell(column: $0.offset, text: $0.element) }
        self.init(number: number, cells: cells.filter { !$0.text.isEmpty })
    }
}

package struct SheetCell: Sendable {
    package enum Origin: Sendable {
        case value
        /// An error of the spreadsheet: `#REF!`.
        case error
        /// A formula whose result was not saved; its text is empty.
        case uncalculated
    }

    /// Counted from 0.
    package var column: Int
    package var text: String
    package var origin: Origin

    package init(column: Int, text: String, origin: Origin = .value) {
        self.column = column
        self.text = text
        self.origin = origin
    }
}

/// The letters of a column: `A` to `XFD`.
package enum ColumnLetters {
    package static func text(_ column: Int) -> String {
        var rest = column
        var letters: [UInt8] = []
        while rest >= 0 {
            letters.append(UInt8(ascii: "A") + UInt8(rest % 26))
            rest = rest / 26 - 1
        }
        return String(decoding: letters.reversed(), as: UTF8.self)
    }

    /// The column, counted from 0, and the row of an address such as `G14`; `nil` for other texts.
    static func address(_ text: String) -> (column: Int, row: Int)? {
        var (column, row) = (0, 0)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z") where row == 0 && column < 100_000:
                column = column * 26 + Int(byte - UInt8(ascii: "A")) + 1
            case UInt8(ascii: "0")...UInt8(ascii: "9") where column > 0 && row < 100_000_000:
                row = row * 10 + Int(byte - UInt8(ascii: "0"))
            default: return nil
            }
        }
        return column > 0 && row > 0 ? (column - 1, row) : nil
    }
}
