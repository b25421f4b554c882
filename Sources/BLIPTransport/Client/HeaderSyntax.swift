/// The characters allowed in a header's name and value (RFC 9110, 5.5 and 5.6.2), so that no value can end its line.
public enum HeaderSyntax {
    private static let separators = Set("\"(),/:;<=>?@[\\]{}".utf8)

    public static func isValid(name: String, value: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !separators.contains($0) }
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// Whether the handshake sets the header itself, or the header is about how the request is sent: a second one would
    /// break the request.
    public static func isOfHandshake(name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("sec-websocket-") || handshake.contains(name)
    }

    private static let handshake = [
        "host", "connection", "upgrade", "transfer-encoding", "content-length", "te", "trailer", "expect",
    ]

    /// The name in a form that is safe in a message, whatever it contains.
    public static func shown(_ name: String) -> String { name.filter { $0.isLetter || $0.isNumber || $0 == "-" } }
}
