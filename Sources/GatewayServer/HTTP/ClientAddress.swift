import Glibc
import Hummingbird
import NIOCore

/// Where a client is, as far as it matters for counting: an IPv4 address, or the network of an IPv6 address, since a
/// host has all 2⁶⁴ of those.
enum ClientAddress {
    static func text(_ address: SocketAddress?) -> String {
        switch address {
        case .v4?: address?.ipAddress ?? ""
        case .v6?: network(address?.ipAddress ?? "")
        case .unixDomainSocket?, nil: "local"
        }
    }

    private static func network(_ text: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return text }
        // ::ffff:a.b.c.d is an IPv4 address.
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        if isMapped { return bytes.suffix(4).map(String.init).joined(separator: ".") }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }
}

/// What the HTTP server knows of a request beside the request.
struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let clientAddress: String
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        clientAddress = ClientAddress.text(source.channel.remoteAddress)
    }
}
