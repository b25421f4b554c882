import BLIPProtocol
import DocumentValues

/// Why a document or a whole replication failed, in the terms of the replication protocol.
package struct SyncFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Domain: String, Sendable, Hashable {
        /// An HTTP status from the gateway; Couchbase Lite shows it in its WebSocket domain.
        case http
        case webSocket
        case liteCore
        case posix
    }

    package var domain: Domain
    package var code: Int
    package var message: String

    package init(_ domain: Domain, code: Int, message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }

    package static func http(_ status: Int, message: String) -> SyncFailure {
        SyncFailure(.http, code: status, message: message)
    }

    /// Ends a session whose work goes on with the next connection, as after a close with "going away".
    package static func untilNextConnection(_ reason: String) -> SyncFailure {
        SyncFailure(.webSocket, code: 1001, message: reason)
    }

    /// The peer has violated the protocol.
    package static func remoteError(_ message: String) -> SyncFailure {
        SyncFailure(.liteCore, code: remoteErrorCode, message: message)
    }

    /// The driver has mixed up its jobs.
    static let unexpectedResult = SyncFailure(
        .liteCore, code: assertionFailedCode, message: "Internal error: unexpected result")

    static let assertionFailedCode = 1
    static let badRevisionCode = 4
    static let badDocumentIDCode = 29
    static let corruptDataCode = 5
    static let unreadableDocumentCode = 15
    static let remoteErrorCode = 26
    static let deltaBaseUnknownCode = 31
    static let corruptDeltaCode = 32

    /// Translates an error reply. Unknown domains, `BLIP` among them, become "remote error" (§2.11).
    package init(_ reply: BLIPErrorReply) {
        switch reply.domain {
        case BLIPErrorReply.httpDomain, "WebSocket": self.init(.http, code: reply.code, message: reply.message)
        case "LiteCore": self.init(.liteCore, code: reply.code, message: reply.message)
        case "POSIX": self.init(.posix, code: reply.code, message: reply.message)
        default: self.init(.liteCore, code: Self.remoteErrorCode, message: reply.message)
        }
    }

    /// As an answer to the peer.
    var reply: BLIPErrorReply {
        switch domain {
        case .http: .http(code, message: message)
        case .webSocket: BLIPErrorReply(domain: "WebSocket", code: code, message: message)
        case .liteCore: BLIPErrorReply(domain: "LiteCore", code: code, message: message)
        case .posix: BLIPErrorReply(domain: "POSIX", code: code, message: message)
        }
    }

    /// Whether a refused document may be accepted unchanged when the gateway or the user's rights have changed: not if
    /// the document itself is wrong.
    package var mayPassWithTime: Bool { domain == .http && Self.mayPassWithTime(status: code) }

    package static func mayPassWithTime(status: Int) -> Bool { status > 400 && status != 413 && status != 422 }

    /// Whether a difference was refused, and the whole revision may be sent instead.
    var isOfDelta: Bool {
        switch domain {
        case .http: code == 422
        case .liteCore: [Self.deltaBaseUnknownCode, Self.corruptDeltaCode].contains(code)
        case .webSocket, .posix: false
        }
    }

    /// Whether the same request may succeed later although nothing about the document changed (§1.11).
    package var isTransient: Bool {
        switch domain {
        case .http: PassingStatus.all.contains(code)
        case .webSocket: [1001, 1006, 4001].contains(code)
        case .liteCore, .posix: false
        }
    }

    /// Another client was first.
    var isConflict: Bool { domain == .http && code == 409 }

    /// The disk of this computer or of the gateway is full. The next try would fail, too, but perhaps not one on another
    /// day.
    var isOfRoom: Bool {
        switch domain {
        case .http: code == 507
        case .posix: code == Self.noSpaceLeft
        case .webSocket, .liteCore: false
        }
    }

    /// `ENOSPC`
    package static let noSpaceLeft = 28

    package var description: String { "\(domain.rawValue) \(code)" + (message.isEmpty ? "" : " \(message)") }
}
