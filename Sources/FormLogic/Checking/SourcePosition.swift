import DocumentValues

/// Where a part of a form is in the file that it was read from.
package enum SourcePosition: Sendable, Hashable {
    /// The file as a whole.
    case file
    /// In a text, such as YAML or XML. Both count from 1, columns in Unicode scalars.
    case text(line: Int, column: Int)
    /// A cell of a workbook; row and column count from 1.
    case cell(sheet: Name, row: Int, column: Int)
    /// A row of a sheet in CSV, counted from 1 with the header, and the heading of the column if it is about one cell.
    case row(sheet: Name, row: Int, heading: Name?)

    /// The line or the row; 0 for the whole file.
    package var line: Int {
        switch self {
        case .file: 0
        case .text(let line, _): line
        case .cell(_, let row, _), .row(_, let row, _): row
        }
    }

    /// In what the author counts: `Lines`, `Rows`, or nothing for the whole file.
    package var unit: SourceUnit? {
        switch self {
        case .file: nil
        case .text: .line
        case .cell, .row: .row
        }
    }

    /// `G14`; `nil` outside workbooks.
    package var cellName: String? {
        guard case .cell(_, let row, let column) = self else { return nil }
        return Self.letters(ofColumn: column) + String(row)
    }

    /// `A`, `Z`, `AA` … for 1, 26, 27 …
    package static func letters(ofColumn column: Int) -> String {
        var rest = max(1, column)
        var letters: [UInt8] = []
        while rest > 0 {
            let digit = (rest - 1) % 26
            letters.append(UInt8(ascii: "A") + UInt8(digit))
            rest = (rest - 1 - digit) / 26
        }
        return String(decoding: letters.reversed(), as: UTF8.self)
    }
}

/// The lines of a text, or the rows of a sheet.
package enum SourceUnit: Sendable {
    case line
    case row

    /// `Lines 50, 54`, or `Line 50`.
    package func naming(_ numbers: [Int]) -> String {
        let noun =
            switch self {
            case .line: numbers.count == 1 ? "Line" : "Lines"
            case .row: numbers.count == 1 ? "Row" : "Rows"
            }
        return "\(noun) \(numbers.map(String.init).joined(separator: ", "))"
    }
}

extension SourcePosition: Comparable {
    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        left.order.lexicographicallyPrecedes(right.order)
    }

    /// Sheets in the order in which an author fills them, then rows, then columns.
    private var order: [Int] {
        switch self {
        case .file: [0]
        case .text(let line, let column): [1, 0, line, column]
        case .cell(let sheet, let row, let column): [1, Self.rank(of: sheet), row, column]
        case .row(let sheet, let row, _): [1, Self.rank(of: sheet), row, 0]
        }
    }

    private static let sheets = ["settings", "survey", "choices", "external_choices", "entities"].map { Name($0) }

    private static func rank(of sheet: Name) -> Int { sheets.firstIndex(of: sheet) ?? sheets.count }
}
