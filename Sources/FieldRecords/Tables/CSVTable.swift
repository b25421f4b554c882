import DocumentValues

/// A CSV file's rows by the names of their columns.
struct CSVTable {
    let file: String
    private var reader: CSVReader
    private let columns: [Name: Int]
    let width: Int

    /// - Throws: `ImportError` naming the columns that are missing.
    init(file: String, bytes: [UInt8], required: [String]) throws(ImportError) {
        self.file = file
        reader = CSVReader(bytes)
        guard let header = reader.next() else { throw ImportError(.emptyFile, file: file) }
        let names = header.fields.map(Self.normalized)
        let missing = required.filter { !names.containsExactly($0) }
        guard missing.isEmpty else {
            throw ImportError(.missingColumns(missing, present: header.fields), file: file)
        }
        columns = Dictionary(names.enumerated().map { (Name($1), $0) }, uniquingKeysWith: { first, _ in first })
        width = names.count
    }

    mutating func next() -> CSVTableRow? {
        reader.next().map { CSVTableRow(row: $0, columns: columns) }
    }

    /// The first row of a file, as column names.
    static func header(of bytes: [UInt8]) -> [String] {
        var reader = CSVReader(bytes)
        return reader.next()?.fields.map(normalized) ?? []
    }

    private static func normalized(_ name: String) -> String {
        name.trimmingWhitespace().lowercased().replacing(" ", with: "_")
    }
}

/// One row; columns that it does not reach are empty.
struct CSVTableRow {
    let row: CSVRow
    fileprivate let columns: [Name: Int]

    /// The field without spaces around it; `nil` when nothing is left.
    subscript(column: String) -> String? {
        guard let index = columns[Name(column)], index < row.fields.count else { return nil }
        let text = row.fields[index].trimmingWhitespace()
        return text.isEmpty ? nil : text
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    func trimmingWhitespace() -> String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
