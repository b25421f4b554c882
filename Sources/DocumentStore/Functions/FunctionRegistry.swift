import DocumentQuery
import GRDB
import GRDBSQLite

/// Makes functions known to a connection.
struct FunctionRegistry {
    /// The function that SQLite calls: with the context, the number of arguments, and the arguments.
    typealias Body = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    typealias End = @convention(c) (OpaquePointer?) -> Void

    let connection: OpaquePointer?
    /// What the functions share.
    let work: ConnectionWork

    init(connection: OpaquePointer?, work: ConnectionWork = ConnectionWork()) {
        self.connection = connection
        self.work = work
    }

    private var flags: Int32 { SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS }
    private static let subtypes: Int32 = 0x0010_0000

    /// - Parameters:
    ///   - arguments: -1 for any number.
    ///   - state: what the function finds as its `sqlite3_user_data`.
    ///   - isDeterministic: whether the same arguments give the same result each time.
    func add(
        _ name: String, arguments: Int32, state: AnyObject? = nil, isDeterministic: Bool = true, body: @escaping Body
    ) throws {
        // SQLite releases it also where the function cannot be made.
        try check(
            sqlite3_create_function_v2(
                connection, name, arguments,
                (isDeterministic ? flags : flags & ~SQLITE_DETERMINISTIC) | Self.subtypes,
                state.map { Unmanaged.passRetained($0).toOpaque() }, body, nil, nil,
                { pointer in
                    guard let pointer else { return }
                    Unmanaged<AnyObject>.fromOpaque(pointer).release()
                }))
    }

    /// A function of the language, by all names that it has in SQL.
    func add(_ name: String, function: @escaping QueryFunctions.Function) throws {
        for spelling in FunctionSpelling.inQueries(name) {
            try add(spelling, box: FunctionBox(function, isForIndexes: false, work: work))
        }
        let indexed = QueryFunctions.indexed[name] ?? function
        try add(FunctionSpelling.indexed(name), box: FunctionBox(indexed, isForIndexes: true, work: work))
    }

    private func add(_ spelling: String, box: FunctionBox) throws {
        try add(spelling, arguments: -1, state: box) { context, count, values in
            FunctionBox.run(context, count: count, values: values)
        }
    }

    /// - Parameter state: what the function finds as its `sqlite3_user_data`.
    func addAggregate(
        _ name: String, arguments: Int32 = 1, state: AnyObject? = nil, step: @escaping Body, end: @escaping End
    ) throws {
        try check(
            sqlite3_create_function_v2(
                connection, name, arguments, flags | Self.subtypes,
                state.map { Unmanaged.passRetained($0).toOpaque() }, nil, step, end,
                { pointer in
                    guard let pointer else { return }
                    Unmanaged<AnyObject>.fromOpaque(pointer).release()
                }))
    }

    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
        }
    }
}

/// Holds a function of the language for SQLite.
private final class FunctionBox {
    private let function: QueryFunctions.Function
    private let isForIndexes: Bool
    private let work: ConnectionWork

    /// - Parameter isForIndexes: whether only indexes call it, and the query that checks their content.
    init(_ function: @escaping QueryFunctions.Function, isForIndexes: Bool, work: ConnectionWork) {
        self.function = function
        self.isForIndexes = isForIndexes
        self.work = work
    }

    static func run(
        _ context: OpaquePointer?, count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let pointer = sqlite3_user_data(context) else { return }
        let box = Unmanaged<FunctionBox>.fromOpaque(pointer).takeUnretainedValue()
        SQLFunctionCall(context: context, isForIndexes: box.isForIndexes).run { result in
            let meter = box.work.meter
            let arguments = try (0..<Int(count)).map { try SQLValue.read(values?[$0], meter: meter) }
            try result.set(try box.function(arguments, box.work.functions), meter: meter)
        }
    }
}
