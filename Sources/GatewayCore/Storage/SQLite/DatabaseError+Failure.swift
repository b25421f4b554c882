import GRDB

/// SQLite's errors, for code that does not know SQLite.
extension DatabaseError: StorageError {
    var failure: StorageFailure {
        let kind: StorageFailure.Kind =
            switch resultCode {
            case .SQLITE_FULL: .fullDisk
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY: .inaccessible
            case .SQLITE_IOERR: .ioError
            case .SQLITE_INTERRUPT: .interrupted
            default: .other
            }
        return StorageFailure(
            kind: kind, description: message ?? "\(resultCode)", detail: "\(extendedResultCode) \(message ?? "")")
    }
}
