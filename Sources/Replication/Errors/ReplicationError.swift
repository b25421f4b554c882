import BLIPTransport
import DocumentStore
import DocumentValues
import Foundation
import SyncProtocol

/// Why a replication or one of its documents failed.
///
/// As an `NSError` it has the domain and the number that Couchbase Lite gives: 10401, 10404, 11006, 5011 … in the
/// domain `CouchbaseLite` (see `CBLError`), or a POSIX error number in the POSIX domain.
public struct ReplicationError: Error, Sendable, CustomStringConvertible {
    /// `CouchbaseLite`, or ``posixDomain``.
    public let domain: String
    /// A number of ``CBLError``, or of POSIX.
    public let code: Int
    /// The error, in a sentence. If the gateway gave a reason, it is that reason as it was sent, with any control characters.
    public let message: String
    /// What a person can do, if there is anything.
    public let hint: String?
    /// The error of the system or of another library, if there was one.
    public let underlying: (any Error)?

    package init(
        domain: String = CBLError.domain, code: Int, message: String, hint: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.domain = domain
        self.code = code
        self.message = message
        self.hint = hint
        self.underlying = underlying
    }

    /// The domain of numbers such as `ECONNREFUSED`.
    public static let posixDomain = "NSPOSIXErrorDomain"

    /// The message and the hint, in one text that is safe to print: control characters, which a gateway's reason may have, are
    /// escapes.
    public var description: String { Sentences.joined(message, hint: hint).withControlsEscaped }
}

extension ReplicationError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
    /// The hint.
    public var recoverySuggestion: String? { hint }
}

/// As an `NSError`.
///
/// Not as a `CustomNSError`: its domain is the same for all errors of a type, and Foundation prefers it to that of a
/// single error. Here the domain differs from error to error. These two properties are requirements of `Error`, and
/// become the domain and the code of the `NSError`; its texts come from `LocalizedError`.
extension ReplicationError {
    /// The domain that the `NSError` has.
    public var _domain: String { domain }
    /// The code that the `NSError` has.
    public var _code: Int { code }
}

extension ReplicationError {
    static func invalid(_ message: String, hint: String? = nil) -> ReplicationError {
        ReplicationError(code: CBLError.invalidParameter, message: message, hint: hint)
    }

    /// A failure of the protocol: HTTP statuses and WebSocket codes count from 10000.
    init(_ failure: SyncFailure) {
        switch failure.domain {
        case .http:
            self.init(
                code: Self.webSocketCode(failure.code),
                message: failure.message.isEmpty ? "The gateway answered \(failure.code)." : failure.message,
                hint: failure == .rejectedByPullFilter ? Self.pullFilterHint : Self.hint(forStatus: failure.code))
        case .webSocket: self.init(code: Self.webSocketCode(failure.code), message: failure.message)
        case .liteCore: self.init(code: failure.code, message: failure.message)
        case .posix: self.init(domain: Self.posixDomain, code: failure.code, message: failure.message)
        }
    }

    /// An error of one document: since the gateway answers for it, the names of the database and the collection are
    /// right.
    init(ofDocument failure: SyncFailure) {
        let error = ReplicationError(failure)
        let isOfNames = failure.domain == .http && failure.code == 404
        self = isOfNames ? ReplicationError(code: error.code, message: error.message) : error
    }

    /// A gateway may send any number.
    private static func webSocketCode(_ number: Int) -> Int {
        let (code, isTooLarge) = CBLError.httpBase.addingReportingOverflow(number)
        return isTooLarge ? .max : code
    }

    private static let pullFilterHint = "The pull filter of this replication keeps it out."

    private static func hint(forStatus status: Int) -> String? {
        switch status {
        case 401: "Check the user name and the password."
        case 403: "The gateway's rules do not allow it; ask its administrator."
        case 404: "Check the names of the database and of the collections."
        case 503: "The gateway is busy or under maintenance; it is tried again."
        default: nil
        }
    }

    init(_ error: StoreError) {
        self.init(code: error.code.rawValue, message: error.message, hint: error.hint, underlying: error)
    }

    /// The end of a connection that this side did not request.
    init(_ reason: BLIPCloseReason) {
        if reason.code == WebSocketCloseCode.abnormal, let error = reason.error, error.code.closeCode == nil {
            self.init(connectionBroken: error)
            return
        }
        // A normal Close in the middle of the work means that the peer goes away.
        let code = reason.code == WebSocketCloseCode.normal ? WebSocketCloseCode.goingAway : reason.code
        let text = reason.reason.isEmpty ? Self.text(forCloseCode: code) : reason.reason
        self.init(code: CBLError.httpBase + Int(code), message: text, underlying: reason.error)
    }

    private init(connectionBroken error: TransportError) {
        let mapped = ReplicationError(error)
        // A socket that ends without a Close is "closed abnormally", whatever the system's error.
        if mapped.domain == Self.posixDomain || mapped.code == CBLError.unexpectedError {
            self.init(
                code: CBLError.webSocketAbnormalClose,
                message: Self.text(forCloseCode: WebSocketCloseCode.abnormal), underlying: error)
        } else {
            self = mapped
        }
    }

    private static func text(forCloseCode code: UInt16) -> String {
        switch code {
        case WebSocketCloseCode.goingAway: "The gateway is going away."
        case WebSocketCloseCode.abnormal: "connection closed abnormally"
        default: "The gateway closed the connection with code \(code)."
        }
    }
}
