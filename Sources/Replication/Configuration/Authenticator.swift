import DocumentValues
import Foundation

/// How a replicator signs in at the gateway.
public protocol Authenticator: Sendable {}

/// A user's name and password, sent with the first request.
public struct BasicAuthenticator: Authenticator, Hashable {
    /// As the gateway has it; compared byte by byte.
    @Exact public private(set) var username: String
    /// Never in a description or a log.
    @Exact public private(set) var password: String

    /// Without a check: the gateway decides.
    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }

    var header: String { "Basic " + Data("\(username):\(password)".utf8).base64EncodedString() }
}

extension BasicAuthenticator: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the password.
    public var description: String { "BasicAuthenticator(\(username))" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// Without the password: loggers and crash reports read mirrors.
    public var customMirror: Mirror { Mirror(self, children: ["username": username]) }
}

/// A session that was made on the gateway.
public struct SessionAuthenticator: Authenticator, Hashable {
    /// `SyncGatewaySession`.
    public static let defaultCookieName = "SyncGatewaySession"

    /// As the gateway gave it; never in a description or a log.
    @Exact public private(set) var sessionID: String
    /// The cookie in which it is sent.
    @Exact public private(set) var cookieName: String

    /// With the cookie of a Sync Gateway.
    public init(sessionID: String) { self.init(sessionID: sessionID, cookieName: nil) }

    /// With `nil` the cookie of a Sync Gateway.
    public init(sessionID: String, cookieName: String?) {
        self.sessionID = sessionID
        self.cookieName = cookieName ?? Self.defaultCookieName
    }
}

extension SessionAuthenticator: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the session's id.
    public var description: String { "SessionAuthenticator(\(cookieName))" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// Without the session's id: loggers and crash reports read mirrors.
    public var customMirror: Mirror { Mirror(self, children: ["cookieName": cookieName]) }
}
