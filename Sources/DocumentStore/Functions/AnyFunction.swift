import DocumentQuery
import GRDBSQLite

/// `fb_any_equal(document, path, value)`: whether one of the elements that `fb_each` has is equal to the value.
enum AnyFunction {
    static func register(_ registry: FunctionRegistry) throws {
        for name in ["fb_any_equal", "fb_any_equal" + FunctionSpelling.keptEnding] {
            try registry.add(name, arguments: 3, state: registry.work) { context, _, values in
                SQLFunctionCall.run(context) { result, work in
                    let wanted = try SQLValue.read(values?[2], meter: work.meter)
                    let cursor = ElementsCursor()
                    try cursor.begin(values, meter: work.meter)
                    result.set(try !wanted.isMissing && cursor.contains(WantedValue(wanted, meter: work.meter)))
                }
            }
        }
    }
}
