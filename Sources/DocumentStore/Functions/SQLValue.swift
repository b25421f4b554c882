import DocumentQuery
import DocumentValues
import GRDBSQLite
import SQLiteStorage

/// How the values of the language are values of SQLite's.
///
/// MISSING is NULL, and null is a blob without bytes. An array or an object is a blob of two parts: its rank in the
/// order of types, and its JSON. So SQLite's own order of types is the same as that of the language. A boolean is 1 or 0
/// with a subtype, and in the rows of a result, which have no subtypes, a blob of one byte.
enum SQLValue {
    /// Marks a number that is a boolean.
    static let booleanSubtype: UInt32 = 0x42

    static func read(_ value: OpaquePointer?) -> QueryValue {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER:
            let number = sqlite3_value_int64(value)
            return sqlite3_value_subtype(value) == booleanSubtype ? .boolean(number != 0) : .integer(number)
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_TEXT: return .text(text(value))
        case SQLITE_BLOB: return read(blob: bytes(value))
        default: return .missing
        }
    }

    /// The same for a value that may be large.
    ///
    /// - Throws: `WorkEnded`.
    static func read(_ value: OpaquePointer?, meter: WorkMeter) throws -> QueryValue {
        switch sqlite3_value_type(value) {
        case SQLITE_TEXT: try meter.count(Int(sqlite3_value_bytes(value)))
        case SQLITE_BLOB: try meter.count(Int(sqlite3_value_bytes(value)) * QueryLimits.unitsOfJSON)
        default: try meter.count(QueryLimits.unitsOfStep)
        }
        return read(value)
    }

    /// The bytes of all values together, each with some more. Of a number SQLite would make a text first.
    static func size(of values: some Sequence<OpaquePointer?>) -> Int {
        values.reduce(0) { size, value in
            switch sqlite3_value_type(value) {
            case SQLITE_TEXT, SQLITE_BLOB: size + StoreLimits.gatheredValue + Int(sqlite3_value_bytes(value))
            default: size + StoreLimits.gatheredValue
            }
        }
    }

    static func read(blob bytes: UnsafeBufferPointer<UInt8>) -> QueryValue {
        switch bytes.count {
        case 0: .null
        case 1: .boolean(bytes[0] != 0)
        case ..<QueryValue.containerPrefix: .missing
        default: BodyText.value(UnsafeBufferPointer(rebasing: bytes[QueryValue.containerPrefix...]))
        }
    }

    static func text(_ value: OpaquePointer?) -> String { String(decoding: bytes(text: value), as: UTF8.self) }

    /// The bytes of a text, valid until the function ends.
    static func bytes(text value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_value_text(value)
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// The bytes of a blob, valid until the function ends.
    static func bytes(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }
}

/// Where a function's result goes.
struct SQLResult {
    let context: OpaquePointer?

    func set(_ value: QueryValue) {
        switch value {
        case .missing: sqlite3_result_null(context)
        case .null: setNull()
        case .boolean(let bool): set(bool)
        case .integer(let number): sqlite3_result_int64(context, number)
        case .real(let number): sqlite3_result_double(context, number)
        case .text(let text): set(text)
        case .container: set(blob: value.containerBytes)
        }
    }

    /// The same for a value that may be large.
    ///
    /// - Throws: `WorkEnded`; `FunctionError` if it is larger than a value may be.
    func set(_ value: QueryValue, meter: WorkMeter) throws {
        switch value {
        case .container: set(blob: try value.containerBytes(meter: meter))
        case .text(let text):
            guard text.utf8.count <= QueryLimits.value else { throw FunctionError.tooLarge }
            set(text)
        case .missing, .null, .boolean, .integer, .real: set(value)
        }
    }

    func setNull() { sqlite3_result_zeroblob(context, 0) }

    func set(_ bool: Bool) {
        sqlite3_result_int64(context, bool ? 1 : 0)
        sqlite3_result_subtype(context, SQLValue.booleanSubtype)
    }

    func set(_ text: String) {
        var text = text
        text.withUTF8 { set(text: $0) }
    }

    func set(text bytes: UnsafeBufferPointer<UInt8>) {
        bytes.withMemoryRebound(to: CChar.self) { characters in
            // A buffer of no bytes may have no address, which would be NULL.
            guard let base = characters.baseAddress else {
                return sqlite3_result_text(context, "", 0, RawStatement.copied)
            }
            sqlite3_result_text64(context, base, UInt64(characters.count), RawStatement.copied, UInt8(SQLITE_UTF8))
        }
    }

    func set(blob bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, !buffer.isEmpty else { return setNull() }
            sqlite3_result_blob64(context, base, UInt64(buffer.count), RawStatement.copied)
        }
    }

    /// The work of the statement is over.
    func end() { sqlite3_result_error_code(context, SQLITE_INTERRUPT) }

    func fail(_ message: String) { sqlite3_result_error(context, message, -1) }
}
