import DocumentValues

/// A database's rules for signing in, and for requests on the public port.
package struct LoginRules: Sendable, Hashable {
    /// Whether only tokens, sessions and the guest are accepted.
    package let refusesPasswords: Bool
    /// Whether a 401 asks for a password by `WWW-Authenticate`, at which browsers open a dialogue.
    package let asksForPassword: Bool
    package let cookieName: String
    package let isCookieHTTPOnly: Bool
    /// `nil` if it depends on whether the public port has TLS.
    package let isCookieSecure: Bool?
    /// When browsers send the cookie from other sites' pages: `Lax`, `Strict`, `None`, or `Default` to leave it to them.
    /// `nil` if it depends on whether there are such pages.
    package let sameSite: String?
    /// `_all_docs` is for administrators.
    package let hidesAllDocuments: Bool
    /// Whether to show attachments that could run scripts in the viewer's name.
    package let showsActiveAttachments: Bool

    init(_ json: JSONObject) {
        refusesPasswords = json["disable_password_auth"]?.boolValue ?? false
        asksForPassword = !refusesPasswords && json["send_www_authenticate_header"]?.boolValue ?? true
        let name = json["session_cookie_name"]?.stringValue ?? ""
        cookieName = name.isEmpty ? Self.usualCookieName : name
        isCookieHTTPOnly = json["session_cookie_http_only"]?.boolValue ?? true
        isCookieSecure = json["session_cookie_secure"]?.boolValue
        sameSite = json["unsupported"]?["same_site_cookie"]?.stringValue
        hidesAllDocuments = json["disable_public_all_docs"]?.boolValue ?? false
        showsActiveAttachments = json["serve_insecure_attachment_types"]?.boolValue ?? false
    }

    static let sameSites = ["Lax", "Strict", "None", "Default"]
    package static let usualCookieName = "SyncGatewaySession"

    /// A part of the characters that RFC 6265 allows: all servers and proxies pass these on.
    static func isOfCookieName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
