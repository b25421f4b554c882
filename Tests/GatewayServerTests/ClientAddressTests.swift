@testable import GatewayServer
import NIOCore
import Testing

/// Where a request is from, with proxies before the gateway.
@Suite struct ClientAddressTests {
    struct Row: Sendable, CustomStringConvertible {
        let peer: String
        let forwarded: [String]
        let client: String

        var description: String { "\(peer) \(forwarded)" }
    }

    private static let trusted = ["127.0.0.1", "10.1.0.0/16", "fd00::/9"]

    static let rows = [
        Row(peer: "127.0.0.1", forwarded: ["192.0.2.7"], client: "192.0.2.7"),
        Row(peer: "::ffff:127.0.0.1", forwarded: ["192.0.2.7"], client: "192.0.2.7"),
        Row(peer: "127.0.0.1", forwarded: [], client: "127.0.0.1"),
        Row(peer: "127.0.0.1", forwarded: [""], client: "127.0.0.1"),
        // What the client itself says of others is not looked at.
        Row(peer: "127.0.0.1", forwarded: ["198.51.100.1, 192.0.2.7"], client: "192.0.2.7"),
        Row(peer: "127.0.0.1", forwarded: ["198.51.100.1", " 192.0.2.7\t"], client: "192.0.2.7"),
        // Two proxies, one behind the other.
        Row(peer: "127.0.0.1", forwarded: ["198.51.100.1, 192.0.2.7,10.1.2.3"], client: "192.0.2.7"),
        Row(peer: "127.0.0.1", forwarded: ["10.1.2.3"], client: "10.1.2.3"),
        Row(peer: "fd7f::1", forwarded: ["2001:db8:1:2:3::4"], client: "2001:db8:1:2::/64"),
        // Not trusted.
        Row(peer: "192.0.2.9", forwarded: ["192.0.2.7"], client: "192.0.2.9"),
        Row(peer: "10.2.0.1", forwarded: ["192.0.2.7"], client: "10.2.0.1"),
        Row(peer: "fd80::1", forwarded: ["192.0.2.7"], client: "fd80:0:0:0::/64"),
        // No addresses.
        Row(peer: "127.0.0.1", forwarded: ["192.0.2.7, unknown"], client: "127.0.0.1"),
        Row(peer: "127.0.0.1", forwarded: ["unknown, 10.1.2.3"], client: "10.1.2.3"),
        Row(peer: "127.0.0.1", forwarded: [",,,"], client: "127.0.0.1"),
    ]

    @Test(arguments: rows) func theLastThatIsNotTrustedIsTheClient(row: Row) throws {
        let trusted = try Self.trusted.map { try #require(AddressRange(text: $0)) }
        let peer = try SocketAddress(ipAddress: row.peer, port: 1)
        #expect(ClientAddress.text(peer, forwarded: row.forwarded, trusted: trusted) == row.client)
    }

    @Test func withoutTrustedProxiesNothingForwardedCounts() throws {
        let peer = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        #expect(ClientAddress.text(peer, forwarded: ["192.0.2.7"], trusted: []) == "127.0.0.1")
        let file = try SocketAddress(unixDomainSocketPath: "/run/x")
        let all = [try #require(AddressRange(text: "0.0.0.0/0")), try #require(AddressRange(text: "::/0"))]
        #expect(ClientAddress.text(file, forwarded: ["192.0.2.7"], trusted: all) == "local")
        #expect(ClientAddress.text(peer, forwarded: ["192.0.2.7"], trusted: all) == "192.0.2.7")
    }

    @Test(arguments: ["", "nginx", "10.1.0.0/33", "10.1.0.0/", "10.1.0.0/-1", "10.1.0.0/ 8", "::/129", "1.2.3.4:80"])
    func whatIsNoRangeIsRefused(text: String) { #expect(AddressRange(text: text) == nil) }
}
