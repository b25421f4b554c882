/// The origin of versions: one database of a client, or the store of a gateway. 128 bits.
public struct VersionSource: Sendable, Hashable, CustomStringConvertible {
    /// 22 characters of base64 in its standard alphabet, without padding.
    public let description: String

    /// How many characters 16 bytes take, and the possible last ones, whose low four bits belong to no byte.
    private static let length = 22
    private static let lastCharacters = Array("AQgw".utf8)

    /// Reads the canonical form. All zeros are refused: in its own file they mean the database itself.
    public init?(_ text: Substring) {
        let bytes = text.utf8
        guard bytes.count == Self.length, bytes.allSatisfy(Self.isOfAlphabet),
            let last = bytes.last, Self.lastCharacters.contains(last),
            bytes.contains(where: { $0 != UInt8(ascii: "A") })
        else { return nil }
        description = String(text)
    }

    public init?(_ text: String) { self.init(Substring(text)) }

    private static func isOfAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }
}
