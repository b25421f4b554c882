import GRDB

/// Why a database's file cannot be used.
struct DatabaseFileError: Error, Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        /// It is no database, or not a whole one.
        case damaged
        /// The account may not open it, or not write it.
        case inaccessible
        case other
    }

    let kind: Kind
    /// SQLite's own message.
    let description: String

    /// `nil` for an error of something else, and for a disk that is only full.
    init?(_ error: any Error) {
        guard let error = error as? DatabaseError, !StorageFailure.isFullDisk(error) else { return nil }
        self.init(error)
    }

    init(_ error: DatabaseError) {
        kind =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY: .inaccessible
            default: .other
            }
        description = error.message ?? "\(error.resultCode)"
    }
}
