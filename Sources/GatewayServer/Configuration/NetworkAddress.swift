import DocumentValues
import Glibc
import NIOCore

/// An address of IPv4 or IPv6 as sixteen bytes. One of IPv4 is written as `::ffff:a.b.c.d`, as sockets for both families
/// have it.
struct NetworkAddress: Sendable, Hashable {
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    let bytes: [UInt8]

    /// `nil` for a text that is no address, such as a name, or that has a port or brackets.
    init?(text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Self.mappedPrefix + bytes.prefix(4)
        } else {
            return nil
        }
    }

    /// `nil` for a socket that is a file.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        self.init(text: text)
    }

    var isIPv4: Bool { bytes.starts(with: Self.mappedPrefix) }

    /// Whether it is an address of this machine that is not reachable from others.
    var isLoopback: Bool { isIPv4 ? bytes[12] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1] }

    /// The part that is used for counting: an IPv4 address, or the network of an IPv6 address, since one host may have
    /// all 2⁶⁴ addresses of it.
    var counted: String {
        guard !isIPv4 else { return bytes.suffix(4).map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        return groups.joined(separator: ":") + "::/64"
    }
}

/// All addresses that begin alike: `10.0.0.0/8`, or one address.
struct AddressRange: Sendable, Hashable {
    private let first: NetworkAddress
    private let prefixBits: Int
    /// As it was written.
    let text: String

    /// `nil` for a text that is neither an address, nor an address with a slash and the number of bits that count.
    init?(text: String) {
        let parts = text.split(atByte: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = NetworkAddress(text: String(parts[0])) else { return nil }
        let bits = first.isIPv4 ? 32 : 128
        var counting = bits
        if parts.count > 1 {
            guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let given = Int(parts[1]), given <= bits
            else { return nil }
            counting = given
        }
        self.first = first
        prefixBits = 128 - bits + counting
        self.text = text
    }

    func contains(_ address: NetworkAddress) -> Bool {
        let (whole, rest) = prefixBits.quotientAndRemainder(dividingBy: 8)
        guard first.bytes.prefix(whole) == address.bytes.prefix(whole) else { return false }
        return rest == 0 || (first.bytes[whole] ^ address.bytes[whole]) >> (8 - rest) == 0
    }
}
