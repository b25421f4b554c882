import DocumentValues
import FormExchange
import FormLogic

/// The headings of a workbook's columns, by which people and programs know a cell better than by its letter.
package struct SheetHeadings: Sendable {
    private var headings: [Name: [Int: String]] = [:]

    init() {}

    init(_ book: Workbook) {
        for sheet in book.sheets {
            guard let header = sheet.rows.first else { continue }
            let cells = header.cells.map { ($0.column + 1, $0.text) }
            headings[Self.key(sheet.name)] = Dictionary(cells) { first, _ in first }
        }
    }

    /// Sheets are named in any case.
    private static func key(_ sheet: String) -> Name {
        Name(sheet.trimmingSpaces.lowercased().split(atByte: " ").joined(separator: "_"))
    }

    /// `nil` for a position without a column, and for a column without a heading.
    package func heading(at position: SourcePosition) -> String? {
        switch position {
        case .file, .text: nil
        case .cell(let sheet, _, let column): headings[Self.key(sheet.text)]?[column]
        case .row(_, _, let heading): heading?.text
        }
    }
}
