import DocumentQuery
import DocumentValues
import GRDBSQLite
import SQLiteStorage

/// The values of a row, as they came from SQLite.
struct ResultRow: Sendable, Equatable {
    enum Value: Sendable, Equatable {
        case missing
        case scalar(JSONValue)
        /// JSON that is not parsed yet.
        case bytes([UInt8])
    }

    /// When it is looked whether the bytes are JSON.
    enum Check: Sendable {
        case now
        /// By who decodes them, and passes over them for that anyway.
        case decoding
    }

    let values: RowValues

    /// - Throws: ``StoreError`` `.corruptData` where a value is no JSON.
    init(_ statement: RawStatement, columns: [TranslatedQuery.Column], check: Check = .now) throws {
        values = RowValues(count: columns.count) {
            Self.value(statement, column: Int32($0), kind: columns[$0].kind)
        }
        switch check {
        case .now: try refuseDamage { columns[$0].name }
        case .decoding: break
        }
    }

    /// - Throws: ``StoreError`` `.corruptData` where a value is no JSON.
    func refuseDamage(column name: (Int) -> String) throws {
        for (index, value) in values.enumerated() {
            // The file may be damaged, or another program have written it.
            guard case .bytes(let bytes) = value, !JSONValue.isWhole(bytes) else { continue }
            throw StoreError(
                .corruptData, message: "A stored document cannot be read: it is no JSON.",
                context: ["column": name(index)], hint: "An integrity check says which one it is.")
        }
    }

    private static func value(_ row: RawStatement, column: Int32, kind: TranslatedQuery.Kind) -> Value {
        switch sqlite3_column_type(row.handle, column) {
        case SQLITE_INTEGER:
            let number = row.int64(column)
            return .scalar(kind == .boolean ? .bool(number != 0) : .number(JSONNumber(number)))
        case SQLITE_FLOAT: return .scalar(.number(NumberText.json(sqlite3_column_double(row.handle, column))))
        case SQLITE_TEXT: return kind == .document ? .bytes(row.bytes(column)) : .scalar(.string(row.text(column)))
        case SQLITE_BLOB: return value(blob: row.buffer(column))
        default: return .missing
        }
    }

    private static func value(blob: UnsafeRawBufferPointer) -> Value {
        switch blob.count {
        case 0: .scalar(.null)
        case 1: .scalar(.bool(blob[0] != 0))
        default: .bytes(Array(blob.dropFirst(QueryValue.containerPrefix)))
        }
    }
}

/// The values of a row in the order of its columns. The first is not in a list, so that a row with one column, such as a whole
/// document, needs no memory for one.
struct RowValues: RandomAccessCollection, Sendable, Equatable {
    private let firstValue: ResultRow.Value
    private let otherValues: [ResultRow.Value]

    /// - Parameter count: at least 1.
    init(count: Int, value: (Int) -> ResultRow.Value) {
        firstValue = value(0)
        otherValues = count > 1 ? (1..<count).map(value) : []
    }

    var startIndex: Int { 0 }
    var endIndex: Int { otherValues.count + 1 }
    subscript(index: Int) -> ResultRow.Value { index == 0 ? firstValue : otherValues[index - 1] }
}

extension ResultRow.Value {
    /// `nil` for MISSING.
    var json: JSONValue? {
        switch self {
        case .missing: nil
        case .scalar(let json): json
        // It was checked when it was read.
        case .bytes(let bytes): (try? JSONValue(parsing: bytes)) ?? .null
        }
    }

    /// As JSON; nothing for MISSING.
    func append(to output: inout [UInt8]) {
        switch self {
        case .missing: break
        case .scalar(let json): JSONWriter().append(json, to: &output)
        case .bytes(let bytes): output += bytes
        }
    }

    /// As JSON; empty for MISSING.
    var bytes: [UInt8] {
        switch self {
        case .missing: []
        case .scalar(let json): json.bytes
        case .bytes(let bytes): bytes
        }
    }

    var isMissing: Bool {
        switch self {
        case .missing: true
        case .scalar, .bytes: false
        }
    }
}
