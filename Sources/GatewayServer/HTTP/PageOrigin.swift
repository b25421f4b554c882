import DocumentValues

/// The origin of a page of another host, in whose name a browser sends a request: decided by headers alone.
struct PageOrigin: Sendable, Equatable {
    /// The headers that a browser adds to requests, or may add.
    struct Headers: Sendable {
        var origin: String?
        var host: String?
        var fetchSite: String?
        var authorization: String?
        var cookie: String?
    }

    /// As the request has it.
    let text: String
    /// Whether there are credentials that a browser adds by itself: cookies, a password that a person once typed, or the
    /// account of the machine's user. A token is only added by a program.
    let hasBrowserLogin: Bool

    /// `nil` for a request that was not sent by a page, and for a page of the gateway's own host.
    ///
    /// Behind a proxy that does not keep `Host`, the gateway's name differs from the page's. Then the browser's own
    /// `Sec-Fetch-Site` counts, which no page can set.
    init?(_ headers: Headers) {
        guard let origin = headers.origin, !origin.isEmpty, headers.fetchSite != "same-origin",
            headers.host.map({ Self.isOwn(origin, of: $0) }) != true
        else { return nil }
        text = origin
        if let authorization = headers.authorization, Self.lowercased(authorization).starts(with: "bearer ".utf8) {
            hasBrowserLogin = false
        } else {
            hasBrowserLogin = headers.authorization != nil || headers.cookie != nil
        }
    }

    /// Whether the page was loaded from the host that the request names. Names of hosts have no case, and the usual port
    /// of a scheme need not be named.
    static func isOwn(_ origin: String, of host: String) -> Bool {
        let origin = lowercased(origin)
        return [("http://", ":80"), ("https://", ":443")].contains { scheme, port in
            origin.starts(with: scheme.utf8)
                && without(port, host: origin.dropFirst(scheme.utf8.count))
                    == without(port, host: lowercased(host)[...])
        }
    }

    private static func without(_ port: String, host: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        host.suffix(port.utf8.count).elementsEqual(port.utf8) ? host.dropLast(port.utf8.count) : host
    }

    private static func lowercased(_ text: String) -> [UInt8] {
        text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    }
}
