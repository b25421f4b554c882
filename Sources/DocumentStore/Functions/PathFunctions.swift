import DocumentQuery
import DocumentValues
import GRDBSQLite

/// Functions that look into a document's JSON or into a container:
///
/// - `fb_value(body, path)`: the value at the path, for comparing; what indexes of properties are of.
/// - `fb_part(body, path)`: the same, for other functions. It has another name because SQLite would read what is in an
///   index of `fb_value`, where booleans are numbers.
/// - `fb_out(body, path)`: the same as a column of the result.
/// - `fb_nested(value, path)`: the value at a path in a container.
enum PathFunctions {
    static func register(_ registry: FunctionRegistry) throws {
        try registry.add("fb_value", arguments: 2) { context, _, values in
            PathFunctions.inBody(context, values: values, use: .operand)
        }
        try registry.add("fb_part", arguments: 2) { context, _, values in
            PathFunctions.inBody(context, values: values, use: .operand)
        }
        try registry.add("fb_out", arguments: 2) { context, _, values in
            PathFunctions.inBody(context, values: values, use: .column)
        }
        try registry.add("fb_nested", arguments: 2) { context, _, values in
            PathFunctions.inContainer(context, values: values)
        }
    }

    private static func inBody(
        _ context: OpaquePointer?, values: UnsafeMutablePointer<OpaquePointer?>?, use: BodyValue.Use
    ) {
        guard let values, sqlite3_value_type(values[0]) == SQLITE_TEXT else { return sqlite3_result_null(context) }
        find(
            SQLValue.bytes(text: values[0]), path: path(context, value: values[1]), context: context, use: use)
    }

    private static func inContainer(_ context: OpaquePointer?, values: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let values, sqlite3_value_type(values[0]) == SQLITE_BLOB else { return sqlite3_result_null(context) }
        let bytes = SQLValue.bytes(values[0])
        guard bytes.count > QueryValue.containerPrefix else { return sqlite3_result_null(context) }
        find(
            UnsafeBufferPointer(rebasing: bytes[QueryValue.containerPrefix...]), path: path(context, value: values[1]),
            context: context,
            use: .operand)
    }

    private static func find(
        _ bytes: UnsafeBufferPointer<UInt8>, path: BodyPath, context: OpaquePointer?, use: BodyValue.Use
    ) {
        var scanner = BodyScanner(bytes)
        guard let found = scanner.find(path.target) else { return sqlite3_result_null(context) }
        BodyValue(bytes: found).set(SQLResult(context: context), use: use)
    }

    /// The path is a constant of the statement, so it is read once and kept with it.
    private static func path(_ context: OpaquePointer?, value: OpaquePointer?) -> BodyPath {
        if let kept = sqlite3_get_auxdata(context, 1) {
            return Unmanaged<BodyPath>.fromOpaque(kept).takeUnretainedValue()
        }
        let path = BodyPath(SQLValue.text(value))
        sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(path).toOpaque()) { pointer in
            guard let pointer else { return }
            Unmanaged<BodyPath>.fromOpaque(pointer).release()
        }
        return path
    }
}

/// A path as `QueryPath.text` writes it, ready to be looked for.
final class BodyPath: Sendable {
    let target: BodyScanner.Target

    /// The translator writes no others; what is no path is taken for one that leads to the whole.
    init(_ text: String) { target = BodyScanner.Target(QueryPath(parsing: text) ?? QueryPath()) }
}
