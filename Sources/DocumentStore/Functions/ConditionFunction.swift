import DocumentQuery
import GRDB
import GRDBSQLite
import Glibc

/// The function of `ConditionCall`: whether a condition, which is SQL, holds for a document.
enum ConditionFunction {
    static func register(_ registry: FunctionRegistry) throws {
        let connection = ConditionConnection(registry.work)
        try registry.add(ConditionCall.function, arguments: -1, state: connection) {
            context, count, values in
            guard let values, count > 1 else { return sqlite3_result_null(context) }
            do { try ConditionFunction.run(context, count: count, values: values) } catch {
                let result = SQLResult(context: context)
                if (error as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT { return result.end() }
                let reason = (error as? DatabaseError)?.message ?? "\(error)"
                IndexCall.isOne(context) ? result.set(.missing) : result.fail(reason)
            }
        }
    }

    private static func run(
        _ context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>
    ) throws {
        let state = Unmanaged<ConditionConnection>.fromOpaque(sqlite3_user_data(context)!)
        let statement = try state.takeUnretainedValue().statement(SQLValue.bytes(text: values[0]))
        for index in 1..<count { sqlite3_bind_value(statement, index, values[Int(index)]) }
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        guard sqlite3_step(statement) == SQLITE_ROW else {
            throw ConditionConnection.failure(sqlite3_db_handle(statement))
        }
        sqlite3_result_int64(context, sqlite3_column_int64(statement, 0))
    }
}

/// A connection without tables, on which conditions are evaluated. A function cannot keep a statement of the connection that
/// calls it, which could not be closed then; and to compile one for each call takes longer than to run it.
private final class ConditionConnection {
    /// A database hardly has more indexes with conditions.
    private static let count = 64

    private let work: ConnectionWork
    private var connection: OpaquePointer?
    private var statements: [(text: [UInt8], handle: OpaquePointer)] = []

    /// - Parameter work: of the connection that calls the function: its conditions end with its other work.
    init(_ work: ConnectionWork) { self.work = work }

    deinit {
        removeAll()
        sqlite3_close_v2(connection)
    }

    private func removeAll() {
        for statement in statements { sqlite3_finalize(statement.handle) }
        statements = []
    }

    func statement(_ condition: UnsafeBufferPointer<UInt8>) throws -> OpaquePointer {
        for statement in statements where statement.text.count == condition.count {
            if let start = condition.baseAddress, memcmp(statement.text, start, condition.count) == 0 {
                return statement.handle
            }
        }
        let connection = try opened()
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection, ConditionCall.statement(String(decoding: condition, as: UTF8.self)), -1,
            UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw Self.failure(connection) }
        if statements.count >= Self.count { removeAll() }
        statements.append((Array(condition), handle))
        return handle
    }

    private func opened() throws -> OpaquePointer {
        if let connection { return connection }
        var made: OpaquePointer?
        let code = sqlite3_open_v2(":memory:", &made, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        do {
            guard code == SQLITE_OK, let made else { throw Self.failure(made) }
            try ConnectionFunctions.registerValues(FunctionRegistry(connection: made, work: work))
            sqlite3_progress_handler(
                made, StoreLimits.stepsBetweenLooks,
                { work in
                    guard let work else { return 0 }
                    return Unmanaged<ConnectionWork>.fromOpaque(work).takeUnretainedValue().isOver ? 1 : 0
                }, Unmanaged.passUnretained(work).toOpaque())
            connection = made
            return made
        } catch {
            sqlite3_close_v2(made)
            throw error
        }
    }

    static func failure(_ connection: OpaquePointer?) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}
