/// The rules for document ids.
public enum DocumentIDRules {
    /// UTF-8 bytes of an id that is made here.
    public static let maximumLength = 240
    /// UTF-8 bytes of an id that a peer sends.
    public static let maximumReceivedLength = 250

    /// Whether a document may be created under this id: not empty, at most 240 bytes, no leading `_`, no control
    /// characters.
    public static func isValid(_ id: String) -> Bool {
        isWellFormed(id) && id.utf8.count <= maximumLength
    }

    /// Whether a document may come from a peer under this id: the same, with at most 250 bytes.
    public static func isAcceptable(_ id: String) -> Bool {
        isWellFormed(id) && id.utf8.count <= maximumReceivedLength
    }

    private static func isWellFormed(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.first != UInt8(ascii: "_") && id.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// `~` and 22 base64url characters, from 16 bytes of `randomness`.
    public static func generated(from randomness: [UInt8]) -> String {
        precondition(randomness.count == 16, "a generated document id takes 16 random bytes")
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = [UInt8(ascii: "~")]
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in randomness {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(alphabet[Int(bits >> bitCount & 0x3F)])
            }
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << (6 - bitCount) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
