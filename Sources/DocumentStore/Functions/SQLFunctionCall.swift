import DocumentQuery
import GRDBSQLite

/// A call of a function, which may fail.
struct SQLFunctionCall {
    let context: OpaquePointer?
    var isForIndexes = false

    /// The same for a function whose `sqlite3_user_data` is the connection's work.
    static func run(_ context: OpaquePointer?, body: (SQLResult, ConnectionWork) throws -> Void) {
        guard let pointer = sqlite3_user_data(context) else { return }
        let work = Unmanaged<ConnectionWork>.fromOpaque(pointer).takeUnretainedValue()
        SQLFunctionCall(context: context).run { try body($0, work) }
    }

    /// Runs `body`. If it fails, the statement fails, or in an index the value is MISSING.
    func run(_ body: (SQLResult) throws -> Void) {
        let result = SQLResult(context: context)
        do {
            try body(result)
        } catch is WorkEnded {
            result.end()
        } catch {
            let reason = (error as? FunctionError)?.message ?? "\(error)"
            isForIndexes || IndexCall.isOne(context) ? result.set(.missing) : result.fail(reason)
        }
    }
}
