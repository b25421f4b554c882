import DocumentValues
import Foundation

/// An error of a database: a code, the objects of the error, and a hint for a person.
///
/// As an `NSError` it has the domain and the code numbers of Couchbase Lite (see `CBLError`): `(error as NSError).code`. On
/// Linux do not write `catch let error as NSError`, but `catch`, or
/// `catch let error as StoreError where error.code == .busy`.
///
/// ## Errors of the disk
///
/// The documentation of each call names the codes of its errors. A call that names `.notOpen` uses the database's file, and
/// may also throw `.ioError` and `.corruptData`. A call that names `.busy` without a reason writes, and has waited for another
/// writer for ten seconds when it throws that; it may also throw `.diskFull` and `.notWritable`, and `.cannotOpenFile` after
/// the folder was deleted or moved.
public struct StoreError: UserFacingError, Sendable {
    /// A number of Couchbase Lite's, or from 1000 on one of ours; more may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number, as `errorCode` has it.
        public let rawValue: Int

        /// Any number is a code.
        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// What kind of error it is.
    public let code: Code
    /// One sentence, without the values in `context`.
    public let message: String
    /// The objects of the error: `path`, `collection`, `document`, `blob` …
    public let context: [String: String]
    /// What a person can do, if there is anything.
    public let hint: String?
    /// The error of the system or of another library, if there was one.
    public let underlying: (any Error)?

    /// An error of your own, such as from a listener or a resolver.
    public init(
        _ code: Code, message: String, context: [String: String] = [:], hint: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.context = context
        self.hint = hint
        self.underlying = underlying
    }

    /// The message, the context and the hint, in one text. Names that came from outside are shortened where they are long,
    /// and have no control characters; ``context`` has all of it.
    public var description: String {
        let details = context.sorted { $0.key < $1.key }.map { "\($0.key) \(Self.shown($0.value))" }
            .joined(separator: ", ")
        return Sentences.joined(details.isEmpty ? message : "\(message) (\(details))", hint: hint)
    }

    private static func shown(_ value: String) -> String {
        value.shortened(toScalars: StoreLimits.shownContext).withControlsEscaped
    }
}

extension StoreError.Code {
    /// The database or the collection is closed or deleted.
    public static let notOpen = Self(rawValue: CBLError.notOpen)
    /// There is no such document, collection or entry.
    public static let notFound = Self(rawValue: CBLError.notFound)
    /// The document was changed elsewhere since it was read.
    public static let conflict = Self(rawValue: CBLError.conflict)
    /// An argument is wrong, or a value that no document can hold.
    public static let invalidParameter = Self(rawValue: CBLError.invalidParameter)
    /// An error for which there is no other code.
    public static let unexpected = Self(rawValue: CBLError.unexpectedError)
    /// A file or folder cannot be opened or made.
    public static let cannotOpenFile = Self(rawValue: CBLError.cantOpenFile)
    /// Reading or writing a file has failed.
    public static let ioError = Self(rawValue: CBLError.ioError)
    /// The database or its folder is read-only.
    public static let notWritable = Self(rawValue: CBLError.notWritable)
    /// A file is damaged.
    public static let corruptData = Self(rawValue: CBLError.corruptData)
    /// Another process, or another object or batch of this one, has kept a lock for longer than the time limit.
    public static let busy = Self(rawValue: CBLError.busy)
    /// The database does not support the call.
    public static let unsupported = Self(rawValue: CBLError.unsupported)
    /// The file is no database.
    public static let notADatabase = Self(rawValue: CBLError.notADatabaseFile)
    /// The folder is of another kind than expected.
    public static let wrongFormat = Self(rawValue: CBLError.wrongFormat)
    /// Encrypting or decrypting has failed.
    public static let crypto = Self(rawValue: CBLError.crypto)
    /// The file is of a newer version of the library.
    public static let databaseTooNew = Self(rawValue: CBLError.databaseTooNew)
    /// The text is no id of a document.
    public static let badDocumentID = Self(rawValue: CBLError.badDocID)
    /// The disk is full; earlier saves are intact.
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
    /// A query takes longer than its ``Query/timeLimit``.
    public static let timedOut = Self(rawValue: 1007)
}

extension StoreError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The hint.
    public var recoverySuggestion: String? { hint }
}

extension StoreError: CustomNSError {
    /// The domain of Couchbase Lite: `CouchbaseLite`.
    public static var errorDomain: String { CBLError.domain }
    /// The number of `code`.
    public var errorCode: Int { code.rawValue }
    /// The description, under `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
