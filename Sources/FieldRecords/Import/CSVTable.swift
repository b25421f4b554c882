import DocumentValues

/// A CSV file's rows by the names of their columns.
struct CSVTable {
    let file: String
    /// The names of the columns as the file has them.
    let header: [String]
    private var reader: CSVReader
    private let columns: [Name: Int]

    var width: Int { header.count }

    /// - Parameter isExact: the names of the columns are compared as they are, since a program wrote them.
    /// - Throws: `ImportError` naming the columns that are missing.
    init(
        file: String, bytes: [UInt8], required: [String], map: ColumnMap = ColumnMap(), isExact: Bool = false
    ) throws(ImportError) {
        self.file = file
        reader = CSVReader(bytes)
        guard let first = reader.next() else { throw ImportError(.emptyFile, file: file) }
        header = first.fields
        let names = isExact ? header : header.map(ColumnMap.normalized)
        let missing = map.missing(required, in: names)
        guard missing.isEmpty else { throw ImportError(.missingColumns(missing, present: header), file: file) }
        columns = map.positions(in: names)
    }

    /// The file's name for one of our columns.
    func heading(of column: String) -> String { columns[Name(column)].map { header[$0] } ?? column }

    func has(_ column: String) -> Bool { columns[Name(column)] != nil }

    mutating func next() -> CSVTableRow? {
        reader.next().map { CSVTableRow(row: $0, columns: columns) }
    }

    /// The results of `make` for the rows that are left. It does not consume them: later calls read them again.
    func lookingAhead<Row>(_ make: (CSVTableRow) -> Row?) -> [Row] {
        var ahead = self
        var rows: [Row] = []
        while let row = ahead.next() {
            if let made = make(row) { rows.append(made) }
        }
        return rows
    }

    /// The first row of a file, as it is.
    static func headings(of bytes: [UInt8]) -> [String] {
        var reader = CSVReader(bytes)
        return reader.next()?.fields ?? []
    }

    /// The first row of a file, as column names.
    static func header(of bytes: [UInt8]) -> [String] {
        headings(of: bytes).map(ColumnMap.normalized)
    }
}

/// One row; columns that it does not reach are empty.
struct CSVTableRow {
    let row: CSVRow
    fileprivate let columns: [Name: Int]

    /// The field without spaces around it; `nil` when nothing is left.
    subscript(column: String) -> String? {
        let text = whole(column)?.trimmingSpaces ?? ""
        return text.isEmpty ? nil : text
    }

    /// The field as it is; `nil` when it is empty.
    func whole(_ column: String) -> String? {
        guard let index = columns[Name(column)], index < row.fields.count else { return nil }
        return row.fields[index].isEmpty ? nil : row.fields[index]
    }
}
