import DocumentQuery
import DocumentValues
import GRDBSQLite

/// Functions that look into a document's JSON or into a container:
///
/// - `fb_value(body, path)`: the value at the path, for comparing; indexes of properties use it.
/// - `fb_part(body, path)`: the same, for other functions. It has another name because SQLite would read the values in
///   an index of `fb_value`, where booleans are numbers.
/// - `fb_out(body, path)`: the same as a column of the result.
/// - `fb_nested(value, path)`: the value at a path in a container; `fb_nested_kept` is to it as `fb_part` to `fb_value`.
enum PathFunctions {
    static func register(_ registry: FunctionRegistry) throws {
        let paths = PathCache(registry.work.meter)
        for name in ["fb_value", "fb_part"] {
            try registry.add(name, arguments: 2, state: paths) { context, _, values in
                PathFunctions.inBody(context, values: values, use: .operand)
            }
        }
        try registry.add("fb_out", arguments: 2, state: paths) { context, _, values in
            PathFunctions.inBody(context, values: values, use: .column)
        }
        for name in ["fb_nested", "fb_nested" + FunctionSpelling.keptEnding] {
            try registry.add(name, arguments: 2, state: paths) { context, _, values in
                PathFunctions.inContainer(context, values: values)
            }
        }
    }

    private static func inBody(
        _ context: OpaquePointer?, values: UnsafeMutablePointer<OpaquePointer?>?, use: BodyValue.Use
    ) {
        guard let values, sqlite3_value_type(values[0]) == SQLITE_TEXT else { return sqlite3_result_null(context) }
        find(values[1], in: SQLValue.bytes(text: values[0]), context: context, use: use)
    }

    private static func inContainer(_ context: OpaquePointer?, values: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let values, sqlite3_value_type(values[0]) == SQLITE_BLOB else { return sqlite3_result_null(context) }
        let bytes = SQLValue.bytes(values[0])
        guard bytes.count > QueryValue.containerPrefix else { return sqlite3_result_null(context) }
        find(
            values[1], in: UnsafeBufferPointer(rebasing: bytes[QueryValue.containerPrefix...]), context: context,
            use: .operand)
    }

    private static func find(
        _ path: OpaquePointer?, in bytes: UnsafeBufferPointer<UInt8>, context: OpaquePointer?, use: BodyValue.Use
    ) {
        // A reference of its own for each row would take longer than the search does.
        let result = SQLResult(context: context)
        do {
            let found = try PathCache.of(context)._withUnsafeGuaranteedRef { cache in
                let found = try cache.find(path, in: bytes)
                if let found, use == .operand { try cache.count(found) }
                return found
            }
            guard let found else { return sqlite3_result_null(context) }
            BodyValue(bytes: found).set(result, use: use)
        } catch {
            result.end()
        }
    }
}
