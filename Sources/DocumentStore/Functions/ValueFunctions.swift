import DocumentQuery
import DocumentValues
import GRDBSQLite

/// Functions that make values, or change their form in SQLite.
///
/// - `fb_boolean(n)`, `fb_boolean_kept(n)`: 1 and 0 as true and false.
/// - `fb_second(x, y)`: `y`, of the row that SQLite has found for the aggregate function `x`.
/// - `fb_result(x)`: a value as a column of the result.
/// - `fb_json(x)`: a value as JSON text.
/// - `fb_text(x)`: a text, or MISSING.
/// - `fb_list(x)`: an array or an object, or MISSING.
/// - `fb_limit(x)`: what LIMIT and OFFSET take; below 0 is 0.
/// - `fb_array(…)`, `fb_object(key, value, …)`: without MISSING values.
/// - `fb_joined(a, b, …)`: the elements or members of all.
enum ValueFunctions {
    typealias Values = UnsafeMutablePointer<OpaquePointer?>

    static func register(_ registry: FunctionRegistry) throws {
        try registerBooleans(registry)
        try registerConversions(registry)
        try registerContainers(registry)
    }

    /// Registers the functions that mark booleans as such, since SQLite only knows numbers.
    private static func registerBooleans(_ registry: FunctionRegistry) throws {
        for name in ["fb_boolean", "fb_boolean" + FunctionSpelling.keptEnding] {
            try registry.add(name, arguments: 1) { context, _, values in
                SQLResult(context: context).set(sqlite3_value_int64(values?[0]) != 0)
            }
        }
        try registry.add("fb_second", arguments: 2) { context, _, values in
            guard let value = values?[1] else { return }
            sqlite3_result_value(context, value)
        }
        try registry.add("fb_result", arguments: 1) { context, _, values in
            guard let value = values?[0] else { return }
            guard sqlite3_value_subtype(value) == SQLValue.booleanSubtype,
                sqlite3_value_type(value) == SQLITE_INTEGER
            else { return sqlite3_result_value(context, value) }
            SQLResult(context: context).set(blob: [sqlite3_value_int64(value) == 0 ? 0 : 1])
        }
    }

    private static func registerConversions(_ registry: FunctionRegistry) throws {
        try registry.add("fb_json", arguments: 1) { context, _, values in
            guard let json = SQLValue.read(values?[0]).json else { return sqlite3_result_null(context) }
            SQLResult(context: context).set(json.description)
        }
        try registry.add("fb_text", arguments: 1) { context, _, values in
            guard let value = values?[0], sqlite3_value_type(value) == SQLITE_TEXT else {
                return sqlite3_result_null(context)
            }
            sqlite3_result_value(context, value)
        }
        try registry.add("fb_list", arguments: 1) { context, _, values in
            guard let value = values?[0], sqlite3_value_type(value) == SQLITE_BLOB,
                Int(sqlite3_value_bytes(value)) > QueryValue.containerPrefix
            else { return sqlite3_result_null(context) }
            sqlite3_result_value(context, value)
        }
        try registry.add("fb_limit", arguments: 1) { context, _, values in
            guard let value = values?[0] else { return }
            if sqlite3_value_numeric_type(value) == SQLITE_INTEGER, sqlite3_value_int64(value) < 0 {
                return sqlite3_result_int64(context, 0)
            }
            sqlite3_result_value(context, value)
        }
    }

    private static func registerContainers(_ registry: FunctionRegistry) throws {
        try registry.add("fb_array", arguments: -1) { context, count, values in
            let elements = (0..<Int(count)).compactMap { SQLValue.read(values?[$0]).json }
            SQLResult(context: context).set(.container(.array(elements)))
        }
        try registry.add("fb_object", arguments: -1) { context, count, values in
            var members: [JSONObject.Member] = []
            for index in stride(from: 0, to: Int(count) - 1, by: 2) {
                guard let json = SQLValue.read(values?[index + 1]).json else { continue }
                members.append(JSONObject.Member(key: SQLValue.text(values?[index]), value: json))
            }
            SQLResult(context: context).set(.container(.object(JSONObject(members: members))))
        }
        try registry.add("fb_joined", arguments: -1) { context, count, values in
            let containers = (0..<Int(count)).compactMap { SQLValue.read(values?[$0]).json }
            SQLResult(context: context).set(ValueFunctions.joined(containers))
        }
    }

    private static func joined(_ containers: [JSONValue]) -> QueryValue {
        guard containers.first?.objectValue != nil else {
            return .container(.array(containers.flatMap { $0.arrayValue ?? [] }))
        }
        return .container(.object(JSONObject(members: containers.flatMap { $0.objectValue?.members ?? [] })))
    }
}
