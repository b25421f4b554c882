import DocumentQuery
import GRDBSQLite
import SQLiteStorage

/// Functions by which a statement with ORDER BY and LIMIT tests its rows:
///
/// - `fb_may_be_first(body, rows)`: whether the row may be one of the first, compared with the noted ones.
/// - `fb_note_first(body, sequence, rows)`: notes a row that meets the condition, and returns NULL.
///
/// `rows` is a parameter with the statement's `FirstRows`; without it each row may be one of the first.
enum FirstRowFunctions {
    /// The type of the parameter's pointer: SQLite gives the pointer only to a function that names the same type.
    private static let pointerType: StaticString = "fb_rows"

    static func register(_ registry: FunctionRegistry) throws {
        let work = registry.work
        try registry.add("fb_may_be_first", arguments: 2, state: work, isDeterministic: false) { context, _, values in
            guard FirstRowFunctions.counts(values, for: context) else { return }
            let mayBe = FirstRowFunctions.run(values, parameter: 1) { $0.mayHave($1) } ?? true
            sqlite3_result_int64(context, mayBe ? 1 : 0)
        }
        try registry.add("fb_note_first", arguments: 3, state: work, isDeterministic: false) { context, _, values in
            guard FirstRowFunctions.counts(values, for: context) else { return }
            let sequence = sqlite3_value_int64(values?[1])
            _ = FirstRowFunctions.run(values, parameter: 2) { $0.note($1, sequence: sequence) }
            sqlite3_result_null(context)
        }
    }

    /// Counts the work for a large document. Whether to go on: otherwise the statement ends.
    @inline(__always)
    private static func counts(_ values: UnsafeMutablePointer<OpaquePointer?>?, for context: OpaquePointer?) -> Bool {
        guard let values, sqlite3_value_type(values[0]) == SQLITE_TEXT,
            case let size = Int(sqlite3_value_bytes(values[0])), size > QueryLimits.uncounted
        else { return true }
        var goesOn = false
        SQLFunctionCall.run(context) { _, work in
            try work.meter.count(size)
            goesOn = true
        }
        return goesOn
    }

    /// Binds the rows for one run of a statement; SQLite releases them with the other parameters.
    static func bind(_ rows: FirstRows, to statement: RawStatement, at index: Int32) {
        let memory = UnsafeMutablePointer<FirstRows>.allocate(capacity: 1)
        memory.initialize(to: rows)
        sqlite3_bind_pointer(statement.handle, index, memory, name) { pointer in
            guard let memory = pointer?.assumingMemoryBound(to: FirstRows.self) else { return }
            memory.deinitialize(count: 1)
            memory.deallocate()
        }
    }

    /// Runs a statement with the rows of the statement that follows it.
    static func lend(_ rows: inout FirstRows, to statement: RawStatement, at index: Int32) throws {
        try withUnsafeMutablePointer(to: &rows) { memory in
            sqlite3_bind_pointer(statement.handle, index, memory, name, nil)
            defer { statement.bindNull(index) }
            while try statement.step() {}
        }
    }

    private static var name: UnsafePointer<CChar> {
        UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// Calls `body` with the bound `FirstRows`, to which it has exclusive access during the call, and the document.
    /// Returns `nil` without calling it if either is missing.
    @inline(__always)
    private static func run<Value>(
        _ values: UnsafeMutablePointer<OpaquePointer?>?, parameter: Int,
        body: (inout FirstRows, UnsafeBufferPointer<UInt8>) -> Value
    ) -> Value? {
        guard let values, let pointer = sqlite3_value_pointer(values[parameter], name),
            sqlite3_value_type(values[0]) == SQLITE_TEXT
        else { return nil }
        return body(&pointer.assumingMemoryBound(to: FirstRows.self).pointee, SQLValue.bytes(text: values[0]))
    }
}
