/// A digest over the fields of a row (FNV-1a, 64 bits): shows whether a row is the same as at the last import, and
/// makes part of the ids of records that have none of their own. It is no protection against forgery.
struct SourceDigest {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ field: String) {
        for byte in field.utf8 { mix(byte) }
        // Between fields, so that "ab","c" differs from "a","bc".
        mix(0xFF)
    }

    private mutating func mix(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

    var text: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    static func of(_ fields: [String]) -> String {
        var digest = SourceDigest()
        for field in fields { digest.add(field) }
        return digest.text
    }
}
