import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes

/// A client that signed in by a password before is known again, by a cookie, when passwords of its user are guessed.
extension Login {
    private static let deviceCookie = "FieldbookDevice"

    func deviceMark(of name: Name, in database: GatewayDatabase) async throws -> DeviceMark? {
        guard let text = Self.cookie(named: Self.deviceCookie, in: request.header(.cookie)) else { return nil }
        return try await database.principals.deviceMark(reading: text, of: name)
    }

    /// Stock clients get the answers that they know.
    private var isOwnClient: Bool { request.agent.hasExactPrefix("Fieldbook/") }

    /// The cookie for a client of Fieldbook's that has just signed in by a password; empty for one that has the one
    /// of the present password.
    func newDeviceCookie(of requester: Requester, in database: GatewayDatabase) async throws -> HTTPFields {
        guard let name = requester.userName, means(database.loginRules) == .password, isOwnClient,
            try await deviceMark(of: name, in: database)?.isOfPresentPassword != true,
            let mark = try await database.principals.makeDeviceMark(for: name)
        else { return [:] }
        let expires = Int64(Date().timeIntervalSince1970) + LoginLimits.deviceMemory
        var text = "\(Self.deviceCookie)=\(mark.text)"
        text += "; Path=/\(database.name); Expires=\(HTTPDate.text(expires)); HttpOnly"
        if database.loginRules.isCookieSecure ?? (gateway.configuration.tls != nil) { text += "; Secure" }
        return [.setCookie: text]
    }
}
