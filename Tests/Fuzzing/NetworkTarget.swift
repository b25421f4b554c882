import Foundation

@testable import Replication

extension FuzzTarget {
    /// The kernel's messages about routes, and a gateway's cookies.
    static let network = FuzzTarget(
        name: "network",
        seeds: {
            let link: [UInt8] =
                [32, 0, 0, 0, 16, 0, 0, 0] + [UInt8](repeating: 0, count: 12) + [2, 0, 0, 0, 0x40, 0, 0, 0]
            let cookies = [
                "SyncGatewaySession=cafe; Path=/db; Expires=Sun, 22 Nov 2026 05:19:36 GMT; HttpOnly",
                "a=b; Domain=.example.com; Max-Age=1e300; Secure",
            ]
            return [link + [0, 0, 0, 0], link + link] + cookies.map { Array($0.utf8) }
        }
    ) { bytes in
        var messages = RouteMessages()
        _ = messages.read(bytes[...])
        guard let url = URL(string: "wss://gateway.example.com:4984/db/_blipsync") else { return }
        guard let cookie = Cookie(setCookie: text(bytes), from: url, acceptsParentDomain: true) else { return }
        _ = (cookie.matches(url), cookie.isExpired(at: Date(timeIntervalSince1970: 1_800_000_000)))
    }
}
