import DocumentValues
import BLIPTransport
import Foundation
import Synchronization

/// Cookies that gateways have set for a database's replications as one user, for as long as the process runs (§1.6).
///
/// They open sessions, so they are not written to the disk; see ``DeviceCookie`` for one that is.
final class CookieJar: Sendable {
    private let cookies = Mutex<[Cookie]>([])

    /// Sorted by their last use, the latest last.
    private static let jars = Mutex<[(owner: CookieOwner, jar: CookieJar)]>([])

    /// The jar that is shared by the replicators of one database that connect as the same user. A session that was set for
    /// one user must not be used for another, nor without a user.
    static func shared(by owner: CookieOwner) -> CookieJar {
        jars.withLock { jars in
            let jar = jars.firstIndex { $0.owner == owner }.map { jars.remove(at: $0).jar } ?? CookieJar()
            jars.append((owner, jar))
            jars.removeFirst(max(0, jars.count - ReplicationLimits.cookieJars))
            return jar
        }
    }

    /// Keeps the `Set-Cookie` headers of an answer from `url`.
    func store(setCookieHeaders headers: [String], from url: URL, acceptsParentDomain: Bool, at now: Date = Date()) {
        let received = headers.compactMap { Cookie(setCookie: $0, from: url, acceptsParentDomain: acceptsParentDomain) }
        guard !received.isEmpty else { return }
        cookies.withLock { cookies in
            for cookie in received {
                cookies.removeAll { $0.isSameCookie(as: cookie) }
                if !cookie.isExpired(at: now) { cookies.append(cookie) }
            }
            cookies = cookies.filter { !$0.isExpired(at: now) }.suffix(ReplicationLimits.cookies)
        }
    }

    /// `name=value` for each cookie that belongs to a request for `url`.
    func pairs(for url: URL, at now: Date = Date()) -> [(name: String, value: String)] {
        cookies(for: url, at: now).map { ($0.name, $0.value) }
    }

    /// The cookie of this name that belongs to a request for `url`.
    func cookie(named name: String, for url: URL, at now: Date = Date()) -> Cookie? {
        cookies(for: url, at: now).last { $0.name.isExactly(name) }
    }

    private func cookies(for url: URL, at now: Date) -> [Cookie] {
        cookies.withLock { cookies in cookies.filter { $0.matches(url) && !$0.isExpired(at: now) } }
    }
}

/// One cookie, as far as RFC 6265 matters to a gateway's client.
struct Cookie: Sendable, Hashable {
    @Exact private(set) var name: String
    @Exact private(set) var value: String
    @Exact private(set) var domain: String
    /// Sent to this host only, not to those below it.
    let isHostOnly: Bool
    @Exact private(set) var path: String
    let isSecure: Bool
    let expires: Date?

    /// `nil` for a header that is no cookie, or for a domain that is not the server's.
    init?(setCookie header: String, from url: URL, acceptsParentDomain: Bool) {
        let parts = header.split(atByte: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let pair = parts.first, let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")),
            equals > pair.startIndex, let host = url.host?.lowercased()
        else { return nil }
        let name = String(pair[..<equals])
        let value = String(pair[pair.utf8.index(after: equals)...])
        // A cookie that cannot be sent would make every later request fail.
        guard HeaderSyntax.isValid(name: name, value: value) else { return nil }
        self.name = name
        self.value = value
        var attributes: [Name: String] = [:]
        for part in parts.dropFirst() {
            let halves = part.split(atByte: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            attributes[Name(halves[0].lowercased())] = halves.count > 1 ? halves[1] : ""
        }
        guard let scope = Self.domain(attributes["domain"], host: host, acceptsParent: acceptsParentDomain) else {
            return nil
        }
        (domain, isHostOnly) = scope
        path = attributes["path"].flatMap { $0.hasExactPrefix("/") ? $0 : nil } ?? Self.folder(of: url.path)
        isSecure = attributes["secure"] != nil
        expires = Self.expiry(attributes)
    }

    private static func domain(
        _ attribute: String?, host: String, acceptsParent: Bool
    ) -> (String, isHostOnly: Bool)? {
        guard var domain = attribute?.lowercased(), !domain.isEmpty else { return (host, true) }
        if let rest = domain.droppingExactPrefix(".") { domain = rest }
        if domain.isExactly(host) { return (host, false) }
        guard acceptsParent, host.hasExactSuffix("." + domain), domain.utf8.contains(UInt8(ascii: ".")) else {
            return nil
        }
        return (domain, false)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func expiry(_ attributes: [Name: String]) -> Date? {
        if let age = attributes["max-age"].flatMap({ Double($0) }) { return Date(timeIntervalSinceNow: age) }
        guard let text = attributes["expires"] else { return nil }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        for format in ["EEE, dd MMM yyyy HH:mm:ss zzz", "EEE, dd-MMM-yyyy HH:mm:ss zzz", "EEE, dd-MMM-yy HH:mm:ss zzz"]
        {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    func isSameCookie(as other: Cookie) -> Bool {
        name.isExactly(other.name) && domain.isExactly(other.domain) && path.isExactly(other.path)
    }

    func matches(_ url: URL) -> Bool {
        guard let host = url.host?.lowercased() else { return false }
        guard host.isExactly(domain) || (!isHostOnly && host.hasExactSuffix("." + domain)) else { return false }
        if isSecure, url.scheme?.lowercased() != "wss" { return false }
        let wanted = url.path.isEmpty ? "/" : url.path
        guard let rest = wanted.droppingExactPrefix(path) else { return false }
        return rest.isEmpty || path.hasExactSuffix("/") || rest.hasExactPrefix("/")
    }
}
