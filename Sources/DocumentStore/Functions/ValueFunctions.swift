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
        try registry.add("fb_json", arguments: 1, state: registry.work) { context, _, values in
            SQLFunctionCall.run(context) { result, work in
                guard let json = try SQLValue.read(values?[0], meter: work.meter).json else {
                    return result.set(.missing)
                }
                try work.meter.count(Int(sqlite3_value_bytes(values?[0])) * QueryLimits.unitsOfJSON)
                try result.set(.text(json.description), meter: work.meter)
            }
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
        try registry.add("fb_array", arguments: -1, state: registry.work) { context, count, values in
            ValueFunctions.make(context, of: values, count: count) { values, meter in
                .array(try values.compactMap { try SQLValue.read($0, meter: meter).json })
            }
        }
        try registry.add("fb_object", arguments: -1, state: registry.work) { context, count, values in
            ValueFunctions.make(context, of: values, count: count) { values, meter in
                var members: [JSONObject.Member] = []
                for index in stride(from: 0, to: values.count - 1, by: 2) {
                    guard let json = try SQLValue.read(values[index + 1], meter: meter).json else { continue }
                    members.append(JSONObject.Member(key: SQLValue.text(values[index]), value: json))
                }
                return .object(JSONObject(members: members))
            }
        }
        try registry.add("fb_joined", arguments: -1, state: registry.work) { context, count, values in
            ValueFunctions.make(context, of: values, count: count) { values, meter in
                ValueFunctions.joined(try values.compactMap { try SQLValue.read($0, meter: meter).json })
            }
        }
    }

    /// Makes an array or an object, unless the values for it have too many bytes: that is known before they are read.
    private static func make(
        _ context: OpaquePointer?, of values: Values?, count: Int32,
        body: (UnsafeBufferPointer<OpaquePointer?>, WorkMeter) throws -> JSONValue
    ) {
        SQLFunctionCall.run(context) { result, work in
            let values = UnsafeBufferPointer(start: values, count: values == nil ? 0 : Int(count))
            guard SQLValue.size(of: values) <= work.limit else {
                throw FunctionError("An array or object has more than \(work.limit) bytes of values")
            }
            try result.set(.container(try body(values, work.meter)), meter: work.meter)
        }
    }

    private static func joined(_ containers: [JSONValue]) -> JSONValue {
        guard containers.first?.objectValue != nil else {
            return .array(containers.flatMap { $0.arrayValue ?? [] })
        }
        return .object(JSONObject(members: containers.flatMap { $0.objectValue?.members ?? [] }))
    }
}
