import DocumentQuery
import GRDBSQLite

/// `fb_any_equal(document, path, value)`: whether one of the elements that `fb_each` has is equal to the value.
enum AnyFunction {
    static func register(_ registry: FunctionRegistry) throws {
        for name in ["fb_any_equal", "fb_any_equal" + FunctionSpelling.keptEnding] {
            try registry.add(name, arguments: 3) { context, _, values in
                let wanted = SQLValue.read(values?[2])
                let cursor = ElementsCursor()
                cursor.begin(values)
                SQLResult(context: context).set(!wanted.isMissing && cursor.contains(wanted))
            }
        }
    }
}
