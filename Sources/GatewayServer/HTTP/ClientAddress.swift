import Glibc
import Hummingbird
import NIOCore

/// Where a client is, as far as it matters for counting: an IPv4 address, or the network of an IPv6 address, since a
/// host has all 2⁶⁴ of those.
enum ClientAddress {
    static func text(_ address: SocketAddress?) -> String {
        switch address {
        case .v4?: address?.ipAddress ?? ""
        case .v6(let address)?:
            withUnsafeBytes(of: address.address.sin6_addr) { bytes in
                // ::ffff:a.b.c.d is an IPv4 address.
                let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
                if isMapped { return bytes.suffix(4).map(String.init).joined(separator: ".") }
                return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
            }
        case .unixDomainSocket?, nil: "local"
        }
    }
}

/// What the HTTP server knows of a request beside the request.
struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let clientAddress: String

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        clientAddress = ClientAddress.text(source.channel.remoteAddress)
    }
}
