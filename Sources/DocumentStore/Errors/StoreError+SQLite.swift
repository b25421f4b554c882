import GRDB
import GRDBSQLite

extension StoreError {
    /// An error of SQLite in our terms. `SQL` and bound values stay out of it: they are the user's data. SQLite's own text is
    /// for developers, and may name what a file from elsewhere has: it is that of the underlying error.
    static func sqlite(_ code: Int32, message: String, path: String) -> StoreError {
        let context = ["path": path, "sqlite": "\(code)"]
        let cause = DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        // The index of the log could not grow, which has a number of its own.
        if code == noRoomForIndex { return full(context) }
        switch code & 0xFF {
        case SQLITE_FULL: return full(context)
        case SQLITE_READONLY:
            return StoreError(
                .notWritable, message: "The database cannot be written.", context: context,
                hint: hint(notWritable: path))
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            return StoreError(
                .cannotOpenFile, message: "The database file cannot be opened.", context: context,
                hint: "Check that the folder exists and that you may read and write it.", underlying: cause)
        case SQLITE_NOTADB:
            return StoreError(
                .notADatabase, message: "The file is not a database.", context: context,
                hint: "It may be damaged, or it belongs to another program. Restore the folder from a backup.")
        case SQLITE_CORRUPT:
            return StoreError(
                .corruptData, message: "The database file is damaged.", context: context,
                hint: "Keep a copy of the folder, then restore it from a backup or sync into a new one.",
                underlying: cause)
        case SQLITE_BUSY, SQLITE_LOCKED:
            return StoreError(
                .busy,
                message: "Another process, or another Database object or batch of this one, has kept the database "
                    + "locked for too long.",
                context: context, hint: "Try again when it has finished.")
        case SQLITE_IOERR:
            return StoreError(
                .ioError, message: "Reading or writing the database failed.", context: context,
                hint: "The disk may be failing or full. Check it, and keep a copy of the folder.", underlying: cause)
        case SQLITE_NOMEM:
            return StoreError(
                StoreError.Code(rawValue: CBLError.memoryError), message: "There is not enough memory.",
                context: context)
        default:
            return StoreError(
                .unexpected, message: "The database reported an error.", context: context, underlying: cause)
        }
    }

    /// `SQLITE_IOERR_SHMSIZE`
    private static let noRoomForIndex = SQLITE_IOERR | (19 << 8)

    private static func full(_ context: [String: String]) -> StoreError {
        StoreError(
            .diskFull, message: "The disk is full, so this could not be stored.", context: context,
            hint: "Free some space and try again: all earlier saves are whole.")
    }

    /// Passes our own errors through and translates SQLite's.
    static func wrapping(_ error: any Error, path: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        // A raw statement that failed has its own error; GRDB's misuse error means that the pool is closed by now.
        if error.resultCode == .SQLITE_MISUSE { return notOpen }
        return sqlite(error.extendedResultCode.rawValue, message: error.message ?? "no details", path: path)
    }

    static var notOpen: StoreError {
        StoreError(
            .notOpen, message: "Attempting to perform an operation on a closed database or a deleted collection.")
    }
}

/// Runs `body` and translates the errors of SQLite.
func translatingErrors<Value>(path: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw StoreError.wrapping(error, path: path) }
}
