import DocumentValues
import Foundation

/// An error of an engine. An engine throws its own errors, and makes them conform to this protocol: code outside of the
/// engine finds the reason by it, and needs to know no engine. Errors that a body throws are no errors of the engine, and
/// come back to its caller as they are.
protocol StorageError: Error {
    var failure: StorageFailure { get }
}

/// Why an engine failed, for code that does not know the engine.
struct StorageFailure: StorageError, CustomStringConvertible {
    enum Kind: String, Sendable, CaseIterable {
        /// A write found no room.
        case fullDisk = "full_disk"
        /// The database is damaged, or it is none.
        case damaged
        /// The account of the gateway may not use the database.
        case inaccessible
        /// The system could not read or write the file.
        case ioError = "io_error"
        /// A statement was stopped: its data may be intact.
        case interrupted
        case other
    }

    let kind: Kind
    /// The engine's own message.
    let description: String
    /// The same with the engine's code, for the log; without any stored data.
    let detail: String

    var failure: StorageFailure { self }
}

extension StorageFailure {
    /// `nil` for errors that are not an engine's.
    init?(_ error: any Error) {
        guard let error = error as? any StorageError else { return nil }
        self = error.failure
    }

    /// The details for the log, without any stored data; `nil` for errors that are not an engine's.
    static func detail(of error: any Error) -> String? { StorageFailure(error)?.detail }

    /// Whether a write found no room, or was not tried because the remaining space is reserved.
    static func isFullDisk(_ error: any Error) -> Bool {
        StorageFailure(error)?.kind == .fullDisk || (error as? GatewayError) == .diskFull
    }

    /// The answer to a client.
    var answer: GatewayError {
        switch kind {
        case .fullDisk: .diskFull
        case .damaged: .damagedDatabase
        case .interrupted: .givenUp
        case .inaccessible, .ioError, .other: .silentStorage
        }
    }
}

extension GatewayError {
    /// Turns any error into the answer to a client, without details of the storage.
    package init(_ error: any Error) {
        switch error {
        case let error as GatewayError: self = error
        case let error as JSONError: self = .badJSON(error)
        case let error as CocoaError where error.code == .fileWriteOutOfSpace: self = .diskFull
        case is DamagedPrincipal: self = .damaged("user or role")
        case is CancellationError: self = .givenUp
        default: self = StorageFailure(error)?.answer ?? GatewayError.internalError(type(of: error))
        }
    }
}
