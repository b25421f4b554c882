import GRDBSQLite

/// A connection of SQLite's without anything around it.
final class Connection {
    private let handle: OpaquePointer

    struct Failure: Error, Hashable {
        let code: CInt
        let message: String
    }

    /// - Parameter readsOnly: leaves the log as it is, also when the connection ends.
    init(_ path: String, readsOnly: Bool = false) throws {
        var handle: OpaquePointer?
        let flags = readsOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let result = sqlite3_open_v2(path, &handle, flags, nil)
        guard result == SQLITE_OK, let handle else {
            sqlite3_close(handle)
            throw Failure(code: result, message: "cannot open")
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, 1000)
    }

    deinit { sqlite3_close_v2(handle) }

    func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    /// The first column of all rows.
    func texts(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure() }
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
            case SQLITE_DONE: return texts
            default: throw failure()
            }
        }
    }

    func text(_ sql: String) throws -> String? { try texts(sql).first }

    /// Lets `VACUUM` reserve so many bytes a page.
    func reserve(_ bytes: CInt) {
        var bytes = bytes
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes)
    }

    private func failure() -> Failure {
        Failure(code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
    }
}
