import BLIPTransport
import DocumentValues
import Foundation

/// The cookies of one replicator: those in its database's jar, and its session's.
struct EndpointCookies: CookieKeeping {
    let jar: CookieJar
    let endpoint: URLEndpoint
    let session: SessionAuthenticator?
    let acceptsParentDomain: Bool

    func cookie(for url: String) -> String? {
        guard let url = URL(string: url) else { return nil }
        var pairs = jar.pairs(for: url)
        if let session, isOurs(url) {
            pairs.removeAll { $0.name.isExactly(session.cookieName) }
            pairs.append((session.cookieName, session.sessionID))
        }
        return pairs.isEmpty ? nil : pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    func keep(setCookieHeaders headers: [String], from url: String) {
        guard let url = URL(string: url) else { return }
        jar.store(setCookieHeaders: headers, from: url, acceptsParentDomain: acceptsParentDomain)
    }

    /// The session is for the configured server, not for another one to which it redirects.
    private func isOurs(_ url: URL) -> Bool {
        url.host?.lowercased() == endpoint.url.host?.lowercased() && port(url) == port(endpoint.url)
            && (isSecure(url) || !isSecure(endpoint.url))
    }

    private func isSecure(_ url: URL) -> Bool { url.scheme?.lowercased() == "wss" }

    private func port(_ url: URL) -> Int { url.port ?? (isSecure(url) ? 443 : 80) }
}
