import DocumentValues
import Foundation
import GRDB

/// Translates errors of the storage for code that does not know SQLite.
enum StorageFailure {
    /// The answer to a client; `nil` for errors that are not the storage's.
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

    /// The details for the log, without any stored data.
    static func detail(of error: any Error) -> String? {
        (error as? DatabaseError).map { "\($0.extendedResultCode) \($0.message ?? "")" }
    }

    /// Whether a write found no room, or was not tried because the remaining space is reserved.
    static func isFullDisk(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_FULL || (error as? GatewayError) == .diskFull
    }
}

extension GatewayError {
    /// Turns any error into the answer to a client, without details of the storage.
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
