import HTTPTypes
import NIOHTTP1

/// The host that a request names.
enum HostHeader {
    /// Moves all names of a request's host into its `Host` headers. A request of HTTP/1.1 without the header gets an
    /// empty one. A host in the target (`GET http://host/path`, as proxies get it) becomes one more header, unless it
    /// is the same.
    static func complete(_ head: inout HTTPRequestHead) {
        let isOld = (head.version.major, head.version.minor) < (1, 1)
        if !isOld, !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: "") }
        guard let named = host(ofTarget: head.uri), head.headers["Host"].first?.lowercased() != named.lowercased()
        else {
            return
        }
        head.headers.add(name: "Host", value: named)
    }

    /// `nil` for a path alone.
    private static func host(ofTarget target: String) -> String? {
        let bytes = Array(target.utf8)
        let slash = UInt8(ascii: "/")
        let ends = [slash, UInt8(ascii: "?"), UInt8(ascii: "#")]
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), !bytes[..<colon].contains(where: ends.contains),
            bytes[(colon + 1)...].starts(with: [slash, slash])
        else { return nil }
        return String(decoding: bytes[(colon + 3)...].prefix { !ends.contains($0) }, as: UTF8.self)
    }

    /// The name or address before the port, without brackets and in small letters; `nil` for a text that is neither,
    /// because readers might interpret it differently.
    static func name(in host: String) -> String? {
        let bytes = Array(host.utf8)
        let colon = UInt8(ascii: ":")
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), isPort(bytes[(end + 1)...]) else { return nil }
            let address = String(decoding: bytes[1..<end], as: UTF8.self).lowercased()
            return HostName.isLongAddress(address) ? address : nil
        }
        let end = bytes.firstIndex(of: colon) ?? bytes.count
        let name = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        return isPort(bytes[end...]) && HostName.isValid(name) ? name : nil
    }

    /// Whether the text is empty, or a colon and a number.
    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: ":") else { return bytes.isEmpty }
        let digits = bytes.dropFirst()
        return (1...5).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension HTTPField.Name {
    static let hostName = HTTPField.Name("Host")!
}
