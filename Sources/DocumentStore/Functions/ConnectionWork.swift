import DocumentQuery
import GRDB
import GRDBSQLite
import SQLiteStorage

/// What the functions of a connection share, with the question whether their work has to end.
final class ConnectionWork {
    /// Work that may have to end, for as long as it goes on.
    final class Watched {
        fileprivate var isOver: (() -> Bool)?

        fileprivate init(_ isOver: @escaping () -> Bool) { self.isOver = isOver }
    }

    private final class Present {
        var watched: Watched?
    }

    let meter: WorkMeter
    let functions: FunctionContext
    /// Bytes of the values of an array or an object that a query makes.
    let limit: Int
    private let present = Present()

    init(limit: Int = StoreLimits.gatheredBytes) {
        self.limit = limit
        meter = WorkMeter { [present] in present.watched?.isOver?() ?? false }
        functions = FunctionContext(zone: ProcessZone(), meter: meter)
    }

    /// Whether the present work has to end.
    var isOver: Bool { present.watched?.isOver?() ?? false }

    // MARK: As a function

    /// `fb_watch(work)` has the functions of the connection ask the `Watched` that is bound as `work` from then on.
    static let function = "fb_watch"
    /// The type of the parameter's pointer: SQLite gives the pointer only to a function that names the same type.
    private static let pointerType: StaticString = "fb_work"

    static func register(_ registry: FunctionRegistry) throws {
        try registry.add(function, arguments: 1, state: registry.work, isDeterministic: false) { context, _, values in
            SQLFunctionCall.run(context) { _, work in
                guard let pointer = sqlite3_value_pointer(values?[0], ConnectionWork.name) else { return }
                work.present.watched = Unmanaged<Watched>.fromOpaque(pointer).takeUnretainedValue()
            }
        }
    }

    /// Runs `body`, in which functions of the connection end their work as soon as it is over.
    static func watch<Value>(
        _ db: GRDB.Database, isOver: @escaping () -> Bool, body: () throws -> Value
    ) throws -> Value {
        let watched = Watched(isOver)
        defer { watched.isOver = nil }
        let statement = try RawStatement("SELECT \(function)(?1)", db)
        sqlite3_bind_pointer(statement.handle, 1, Unmanaged.passUnretained(watched).toOpaque(), name, nil)
        defer { statement.clear() }
        _ = try statement.step()
        statement.clear()
        return try body()
    }

    private static var name: UnsafePointer<CChar> {
        UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
