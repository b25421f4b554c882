import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes

/// Recognises, by a cookie, a client that signed in with a password before, so that others who guess its user's
/// password do not lock it out.
extension Login {
    private static let deviceCookie = "FieldbookDevice"

    func deviceMark(of name: Name, in database: GatewayDatabase) async throws -> DeviceMark? {
        guard let text = Self.cookie(named: Self.deviceCookie, in: request.header(.cookie)) else { return nil }
        return try await database.principals.deviceMark(reading: text, of: name)
    }

    /// Stock clients get the answers that they know.
    private var isOwnClient: Bool { request.agent.hasExactPrefix("Fieldbook/") }

    /// The cookie for a Fieldbook client that has just signed in with a password; empty if it already has the cookie
    /// for the present password.
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
