import DocumentQuery
import GRDB
import GRDBSQLite

/// `fb_each(document, path)`: a table of the elements of an array or the values of an object, in its column `value`. Any
/// other value is one element, and MISSING none. Without a path the first argument is the value itself.
///
/// ANY, EVERY and UNNEST read it.
enum ElementsTable {
    private static let schema = "CREATE TABLE x(value, document HIDDEN, path HIDDEN)"

    static func register(_ registry: FunctionRegistry) throws {
        try registry.check(
            sqlite3_create_module_v2(
                registry.connection, "fb_each", module, Unmanaged.passRetained(registry.work).toOpaque(),
                { work in
                    guard let work else { return }
                    Unmanaged<ConnectionWork>.fromOpaque(work).release()
                }))
    }

    /// Shared by all connections; SQLite only reads it.
    nonisolated(unsafe) private static let module: UnsafeMutablePointer<sqlite3_module> = {
        let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var methods = sqlite3_module()
        // Without `xCreate` every statement can use the table as a function.
        methods.xConnect = { connection, work, _, _, table, _ in
            ElementsTable.connect(connection, work: work, table: table)
        }
        methods.xBestIndex = { _, plan in ElementsTable.choose(plan) }
        methods.xDisconnect = { table in
            guard let table else { return SQLITE_OK }
            UnsafeMutableRawPointer(table).assumingMemoryBound(to: Memory.self).deallocate()
            return SQLITE_OK
        }
        methods.xOpen = { _, cursor in ElementsTable.open(cursor) }
        methods.xClose = { cursor in
            ElementsCursor.release(cursor)
            return SQLITE_OK
        }
        methods.xFilter = { cursor, plan, _, _, values in
            guard let cursor else { return SQLITE_ERROR }
            return ElementsTable.metered(cursor) {
                try ElementsCursor.of(cursor).begin(plan == 1 ? values : nil, meter: $0)
            }
        }
        methods.xNext = { cursor in
            ElementsCursor.of(cursor).advance()
            return SQLITE_OK
        }
        methods.xEof = { cursor in ElementsCursor.of(cursor).isAtEnd ? 1 : 0 }
        methods.xColumn = { cursor, context, column in
            guard column == 0, let cursor else { return SQLITE_OK }
            return ElementsTable.metered(cursor) {
                try ElementsCursor.of(cursor).set(SQLResult(context: context), meter: $0)
            }
        }
        methods.xRowid = { cursor, number in
            number?.pointee = ElementsCursor.of(cursor).number
            return SQLITE_OK
        }
        module.initialize(to: methods)
        return module
    }()

    /// SQLite's part comes first, so that a pointer to the whole is one to it. The connection keeps its work for longer.
    private struct Memory {
        var base: sqlite3_vtab
        var work: Unmanaged<ConnectionWork>
    }

    /// Runs `body` with the connection's meter. Returns the code for SQLite.
    private static func metered(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>, body: (WorkMeter) throws -> Void
    ) -> Int32 {
        let table = UnsafeMutableRawPointer(cursor.pointee.pVtab).assumingMemoryBound(to: Memory.self)
        do { try body(table.pointee.work.takeUnretainedValue().meter) } catch { return SQLITE_INTERRUPT }
        return SQLITE_OK
    }

    private static func connect(
        _ connection: OpaquePointer?, work: UnsafeMutableRawPointer?,
        table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
    ) -> Int32 {
        guard let work else { return SQLITE_ERROR }
        let code = sqlite3_declare_vtab(connection, schema)
        guard code == SQLITE_OK else { return code }
        let made = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
        made.initialize(to: Memory(base: sqlite3_vtab(), work: .fromOpaque(work)))
        table?.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }

    /// Both arguments are equalities for the hidden columns; without them there are no rows.
    private static func choose(_ plan: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
        guard let plan else { return SQLITE_ERROR }
        var isBound = [false, false]
        for index in 0..<Int(plan.pointee.nConstraint) {
            let constraint = plan.pointee.aConstraint[index]
            guard constraint.iColumn == 1 || constraint.iColumn == 2,
                Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ
            else { continue }
            // The argument is not known yet: the other table has to be read first.
            guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
            isBound[Int(constraint.iColumn) - 1] = true
            plan.pointee.aConstraintUsage[index].argvIndex = constraint.iColumn
            plan.pointee.aConstraintUsage[index].omit = 1
        }
        plan.pointee.idxNum = isBound[0] && isBound[1] ? 1 : 0
        plan.pointee.estimatedCost = 10
        plan.pointee.estimatedRows = 10
        return SQLITE_OK
    }

    private static func open(_ cursor: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?) -> Int32 {
        cursor?.pointee = ElementsCursor.make()
        return SQLITE_OK
    }
}
