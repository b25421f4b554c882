import DocumentValues
import Foundation

/// What went wrong in a database: a code, what it happened to, and what a person can do about it.
///
/// As an `NSError` it has the domain and the code numbers of Couchbase Lite (see `CBLError`).
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// A number of Couchbase Lite's, or from 1000 on one of ours; more may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    public let code: Code
    /// One sentence without what is in `context`.
    public let message: String
    /// What it happened to: `path`, `collection`, `document`, `blob` …
    public let context: [String: String]
    /// What a person can do, where there is something.
    public let hint: String?
    public let underlying: (any Error)?

    public init(
        _ code: Code, _ message: String, context: [String: String] = [:], hint: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.context = context
        self.hint = hint
        self.underlying = underlying
    }

    public var description: String {
        let place = context.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return Sentences.joined(place.isEmpty ? message : "\(message) (\(place))", hint: hint)
    }
}

extension StoreError.Code {
    public static let notOpen = Self(rawValue: CBLError.notOpen)
    public static let notFound = Self(rawValue: CBLError.notFound)
    public static let conflict = Self(rawValue: CBLError.conflict)
    public static let invalidParameter = Self(rawValue: CBLError.invalidParameter)
    public static let unexpected = Self(rawValue: CBLError.unexpectedError)
    public static let cannotOpenFile = Self(rawValue: CBLError.cantOpenFile)
    public static let ioError = Self(rawValue: CBLError.ioError)
    public static let notWritable = Self(rawValue: CBLError.notWritable)
    public static let corruptData = Self(rawValue: CBLError.corruptData)
    public static let busy = Self(rawValue: CBLError.busy)
    public static let unsupported = Self(rawValue: CBLError.unsupported)
    public static let notADatabase = Self(rawValue: CBLError.notADatabaseFile)
    public static let wrongFormat = Self(rawValue: CBLError.wrongFormat)
    public static let crypto = Self(rawValue: CBLError.crypto)
    public static let databaseTooNew = Self(rawValue: CBLError.databaseTooNew)
    public static let badDocumentID = Self(rawValue: CBLError.badDocID)
    /// The disk is full; what was saved before is whole.
    public static let diskFull = Self(rawValue: 1001)
    /// The passphrase does not open the attachments of this folder.
    public static let wrongPassphrase = Self(rawValue: 1002)
    /// The folder's attachments are kept in another way than the one it was opened with.
    public static let wrongAttachmentStorage = Self(rawValue: 1003)
    /// A blob's bytes are not those its digest or length names.
    public static let blobMismatch = Self(rawValue: 1004)
    /// A document refers to a blob that is not here.
    public static let missingBlob = Self(rawValue: 1006)
    /// A larger blob, document or batch than the limits allow.
    public static let tooLarge = Self(rawValue: 1005)
}

extension StoreError: LocalizedError {
    public var errorDescription: String? { description }
    public var recoverySuggestion: String? { hint }
}

extension StoreError: CustomNSError {
    public static var errorDomain: String { CBLError.domain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
