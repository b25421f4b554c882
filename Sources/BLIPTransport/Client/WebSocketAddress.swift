/// The host, port and path of a WebSocket URL.
struct WebSocketAddress: Sendable, Hashable, CustomStringConvertible {
    var isSecure: Bool
    /// Without the brackets of an IPv6 address.
    var host: String
    var port: Int
    /// With the query; begins with `/`.
    var path: String

    /// Reads `ws`, `wss`, `http` and `https` URLs. Credentials inside one are not used.
    init(_ url: String) throws(TransportError) {
        guard let separator = url.range(of: "://"), let isSecure = Self.isSecure(url[..<separator.lowerBound]) else {
            throw Self.invalid(url, why: "it must begin with ws:// or wss://")
        }
        let rest = url[separator.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let tail = rest[end...].prefix { $0 != "#" }
        self.isSecure = isSecure
        path = tail.hasPrefix("/") ? String(tail) : "/" + tail
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Self.invalid(url, why: "its path has characters that must be escaped")
        }
        let authority = rest[..<end]
        let hostAndPort = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        (host, port) = try Self.split(hostAndPort, default: isSecure ? 443 : 80, of: url)
    }

    private static func isSecure(_ scheme: Substring) -> Bool? {
        switch scheme.lowercased() {
        case "ws", "http": false
        case "wss", "https": true
        default: nil
        }
    }

    private static func split(
        _ authority: Substring, default defaultPort: Int, of url: String
    ) throws(TransportError) -> (String, Int) {
        var host = authority
        var portText: Substring?
        if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
            host = authority[authority.index(after: authority.startIndex)..<bracket]
            let rest = authority[authority.index(after: bracket)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw invalid(url, why: "its host is no address") }
            portText = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = authority.lastIndex(of: ":") {
            host = authority[..<colon]
            portText = authority[authority.index(after: colon)...]
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "[") }) else {
            throw invalid(url, why: "it names no host")
        }
        guard let portText, !portText.isEmpty else { return (String(host), defaultPort) }
        guard let port = UInt16(portText), port > 0 else { throw invalid(url, why: "'\(portText)' is no port") }
        return (String(host), Int(port))
    }

    private static func invalid(_ url: String, why: String) -> TransportError {
        // A URL may hold a password, so it is not repeated.
        TransportError(.invalidURL, message: "The address of the server cannot be used: \(why).")
    }

    /// The target of a redirect: an absolute URL, or a path on the same server.
    func redirected(to location: String) throws(TransportError) -> WebSocketAddress {
        do {
            // Servers escape other characters. Searching a text of combining marks for separators takes time with the
            // square of their number.
            guard location.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw Self.invalid(location, why: "it has letters that are not escaped")
            }
            if location.hasPrefix("/") {
                var next = self
                next.path = location
                return next
            }
            return try WebSocketAddress(location)
        } catch {
            throw TransportError(
                .invalidRedirect, message: "\(self) sends us elsewhere without saying where.",
                hint: "The server's redirects are misconfigured.", underlying: error)
        }
    }

    /// Whether credentials for this endpoint may go to another one.
    func sharesCredentials(with other: WebSocketAddress) -> Bool {
        host == other.host && port == other.port && (other.isSecure || !isSecure)
    }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    /// The `Host` header: the port is in it unless it is the scheme's own.
    var hostHeader: String { port == (isSecure ? 443 : 80) ? bracketedHost : "\(bracketedHost):\(port)" }

    var url: String { "\(isSecure ? "wss" : "ws")://\(hostAndPort)\(path)" }

    var hostAndPort: String { "\(bracketedHost):\(port)" }

    var description: String { hostAndPort }
}

extension String {
    fileprivate func range(of separator: String) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(separator) {
                return index..<self.index(index, offsetBy: separator.count)
            }
            index = self.index(after: index)
        }
        return nil
    }
}
