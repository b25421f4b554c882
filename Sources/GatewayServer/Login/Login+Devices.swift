import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes

/// A client that signed in by a password before is known again, by a cookie, when passwords of its user are guessed.
extension Login {
    private static let deviceCookie = "FieldbookDevice"

    func deviceMark(of name: Name, in database: GatewayDatabase) -> DeviceMark? {
        Self.cookie(named: Self.deviceCookie, in: request.header(.cookie)).flatMap {
            database.principals.deviceMark(reading: $0, of: name)
        }
    }

    /// Stock clients get the answers that they know.
    private var isOwnClient: Bool { request.agent.hasExactPrefix("Fieldbook/") }

    /// The cookie for a client of Fieldbook's that has just signed in by a password; empty for one that has it.
    func newDeviceCookie(of requester: Requester, in database: GatewayDatabase) -> HTTPFields {
        guard let name = requester.userName, means(database.loginRules) == .password, isOwnClient,
            deviceMark(of: name, in: database) == nil
        else { return [:] }
        let expires = Int64(Date().timeIntervalSince1970) + LoginLimits.deviceMemory
        var text = "\(Self.deviceCookie)=\(database.principals.makeDeviceMark(for: name).text)"
        text += "; Path=/\(database.name); Expires=\(HTTPDate.text(expires)); HttpOnly"
        if database.loginRules.isCookieSecure ?? (gateway.configuration.tls != nil) { text += "; Secure" }
        return [.setCookie: text]
    }
}
