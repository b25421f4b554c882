import Glibc

/// The name of a machine: a DNS name, or an address without brackets.
enum HostName {
    /// Throws for the first invalid one.
    static func check(_ hosts: [String]) throws(ConfigurationError) {
        guard let odd = hosts.first(where: { !isValid($0) }) else { return }
        throw ConfigurationError(
            "--host '\(odd)'", problem: "is neither a host name nor an address",
            hint: "Write a name such as field.example.org, or an address such as 192.0.2.7, without https:// and port")
    }

    static func isValid(_ host: String) -> Bool { isAddress(host) || isName(host) }

    /// Whether it is an address and not a name: no one else can own an address.
    static func isAddress(_ host: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1 || isLongAddress(host)
    }

    /// An address of IPv6, which URLs have in brackets.
    static func isLongAddress(_ host: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, host, &address) == 1
    }

    private static func isName(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // Numbers alone are a mistyped address.
        guard host.utf8.count <= 253, let last = labels.last, !last.allSatisfy(isDigit) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy {
                    isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
