import DocumentValues
import Foundation
import GRDB

/// What an error of the storage means to those who know nothing of SQLite.
enum StorageFailure {
    /// What a client is answered; `nil` for an error of something else.
    static func answer(to error: any Error) -> GatewayError? {
        guard error is DatabaseError else { return nil }
        if isFullDisk(error) { return .diskFull }
        let isDamaged = DatabaseFileError(error)?.kind == .damaged
        return GatewayError(
            503,
            reason: isDamaged
                ? "The gateway's database is damaged; its operator has to restore a backup"
                : "The gateway's storage did not answer; try again")
    }

    /// What the log says of it beside that: nothing that is stored is in it.
    static func detail(of error: any Error) -> String? {
        (error as? DatabaseError).map { "\($0.extendedResultCode) \($0.message ?? "")" }
    }

    /// Whether a write found no room, or was not tried since what is left is for others.
    static func isFullDisk(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_FULL || (error as? GatewayError) == .diskFull
    }
}

extension GatewayError {
    /// Whatever was thrown, as what a client is answered. Details of storage trouble stay out of it.
    package init(_ error: any Error) {
        switch error {
        case let error as GatewayError: self = error
        case let error as JSONError: self.init(400, reason: "Bad JSON: \(error)")
        case let error as CocoaError where error.code == .fileWriteOutOfSpace: self = .diskFull
        case is CancellationError: self.init(503, reason: "The gateway is shutting down")
        default:
            self = StorageFailure.answer(to: error) ?? GatewayError(500, reason: "Internal error: \(type(of: error))")
        }
    }
}
