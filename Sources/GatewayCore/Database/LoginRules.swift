import DocumentValues

/// What a database's configuration says about coming in, and about what may be asked for in public.
package struct LoginRules: Sendable, Hashable {
    /// Only tokens, sessions and the guest come in.
    package let refusesPasswords: Bool
    /// Whether a 401 asks for a password by `WWW-Authenticate`, at which browsers open a dialogue.
    package let asksForPassword: Bool
    package let cookieName: String
    package let isCookieHTTPOnly: Bool
    package let isCookieSecure: Bool
    /// `_all_docs` is for administrators.
    package let hidesAllDocuments: Bool
    /// Attachments that could act as the one who looks at them are shown all the same.
    package let showsActiveAttachments: Bool

    init(_ json: JSONObject) {
        refusesPasswords = json["disable_password_auth"]?.boolValue ?? false
        asksForPassword = !refusesPasswords && json["send_www_authenticate_header"]?.boolValue ?? true
        let name = json["session_cookie_name"]?.stringValue ?? ""
        cookieName = name.isEmpty ? Self.usualCookieName : name
        isCookieHTTPOnly = json["session_cookie_http_only"]?.boolValue ?? true
        isCookieSecure = json["session_cookie_secure"]?.boolValue ?? false
        hidesAllDocuments = json["disable_public_all_docs"]?.boolValue ?? false
        showsActiveAttachments = json["serve_insecure_attachment_types"]?.boolValue ?? false
    }

    package static let usualCookieName = "SyncGatewaySession"
}
