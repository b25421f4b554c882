import GRDB

/// Why a database's file cannot be used.
struct DatabaseFileError: Error, Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        /// The file is no database, or not a complete one.
        case damaged
        /// The account may not open or not write the file.
        case inaccessible
        case other
    }

    let kind: Kind
    /// SQLite's own message.
    let description: String

    /// `nil` for errors that are not SQLite's, and for a full disk.
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
