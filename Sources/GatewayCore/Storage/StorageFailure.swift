import GRDB

/// What an error of the storage means to those who know nothing of SQLite.
enum StorageFailure {
    /// What a client is answered; `nil` for an error of something else.
    static func answer(to error: any Error) -> GatewayError? {
        guard error is DatabaseError else { return nil }
        return isFullDisk(error)
            ? .diskFull : GatewayError(503, reason: "The gateway's storage did not answer; try again")
    }

    static func isFullDisk(_ error: any Error) -> Bool { (error as? DatabaseError)?.resultCode == .SQLITE_FULL }
}
