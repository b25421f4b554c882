import DocumentValues
import Fieldbook
import FieldShell

/// Writes the results of a query in one of the command's formats.
protocol ResultWriter {
    func write(_ results: ResultSet)
}

extension ResultWriter {
    /// Writes a line for each row.
    func writeLines(_ results: ResultSet, first: [String] = [], line: (Result) -> String) {
        var lines = first
        while let row = results.next() {
            lines.append(line(row))
            guard lines.count >= DatabaseCommandLimits.linesAtOnce else { continue }
            StandardOutput.lines(lines)
            lines.removeAll(keepingCapacity: true)
        }
        StandardOutput.lines(lines)
    }
}

/// One object a line, without values that are MISSING.
struct JSONResultWriter: ResultWriter {
    func write(_ results: ResultSet) { writeLines(results) { $0.toJSON().printableJSON } }
}

/// Values separated by commas: arrays and objects are JSON, null and MISSING are empty.
struct CSVResultWriter: ResultWriter {
    /// Texts that a spreadsheet would take for formulas get an apostrophe in front.
    let isForSpreadsheet: Bool

    func write(_ results: ResultSet) {
        writeLines(results, first: [line(results.columnNames)]) { row in
            line(row.columnValues.map { $0.map(Self.text) ?? "" })
        }
    }

    private func line(_ fields: [String]) -> String {
        var writer = CSVWriter(guardsFormulas: isForSpreadsheet)
        writer.append(fields)
        // The caller ends the line, with the line feed of all commands instead of the writer's CR LF.
        return String(decoding: writer.bytes.dropLast(2), as: UTF8.self)
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        case .bool, .number, .array, .object: value.description
        }
    }
}

/// Columns below their names, as wide as the first rows need, and page by page on a screen.
struct TextResultWriter: ResultWriter {
    func write(_ results: ResultSet) {
        var first: [[String]] = [results.columnNames.map(\.printableLine)]
        while first.count <= DatabaseCommandLimits.rowsForWidths, let row = results.next() {
            first.append(Self.texts(row))
        }
        let widths = Self.widths(of: first)
        var pages = ScreenPages(linesAtOnce: DatabaseCommandLimits.linesAtOnce)
        for row in first {
            guard pages.show(Self.line(row, widths: widths)) else { return }
        }
        while let row = results.next() {
            guard pages.show(Self.line(Self.texts(row), widths: widths)) else { return }
        }
        pages.end()
    }

    /// A wider value is not cut; it moves the values after it.
    private static func widths(of rows: [[String]]) -> [Int] {
        var widths = [Int](repeating: 0, count: rows.first?.count ?? 0)
        for row in rows {
            for (column, text) in row.enumerated() {
                widths[column] = min(max(widths[column], text.displayWidth), DatabaseCommandLimits.widestColumn)
            }
        }
        return widths
    }

    private static func texts(_ row: Result) -> [String] {
        row.columnValues.map { value in
            guard let value else { return "" }
            if case .string(let text) = value { return text.printableLine }
            return value.description.printableLine
        }
    }

    private static func line(_ texts: [String], widths: [Int]) -> String {
        var line = ""
        for (column, text) in texts.enumerated() {
            line += text
            guard column < texts.count - 1 else { break }
            line += String(repeating: " ", count: max(0, widths[column] - text.displayWidth) + 2)
        }
        return line
    }
}
