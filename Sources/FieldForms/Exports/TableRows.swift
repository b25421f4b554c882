import DocumentValues

/// Writes rows of a table: lines end with a line feed, quotation marks as RFC 4180 has them.
struct TableRows {
    private(set) var bytes: [UInt8] = []
    private let separator: UInt8
    private let quotesAll: Bool
    private let isSpreadsheetSafe: Bool

    init(_ options: ExportOptions) {
        let isKobo = options.style == .kobo
        separator = UInt8(ascii: isKobo ? ";" : ",")
        quotesAll = isKobo
        isSpreadsheetSafe = options.isSpreadsheetSafe
    }

    mutating func append(_ cells: [String]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(separator) }
            append(isSpreadsheetSafe && Self.isFormula(cell) ? "'" + cell : cell)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The bytes that were written since the last call.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func append(_ cell: String) {
        let mark = UInt8(ascii: "\"")
        let special = [separator, mark, UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        guard quotesAll || cell.utf8.contains(where: special.contains) else {
            return bytes.append(contentsOf: cell.utf8)
        }
        bytes.append(mark)
        for byte in cell.utf8 {
            if byte == mark { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(mark)
    }

    private static func isFormula(_ cell: String) -> Bool {
        cell.utf8.first.map { "=+-@".utf8.contains($0) } ?? false
    }
}
