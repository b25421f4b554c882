/// The number of values in a JSON text, judged by the signs in front of them: commas, colons and opening brackets, also those
/// within strings.
enum JSONSigns {
    /// Eight bytes at once: each large body is counted before its turn.
    static func count(in text: [UInt8]) -> Int {
        text.withUnsafeBytes { bytes in
            var total = 0
            var index = 0
            while index &+ 8 <= bytes.count {
                // Each byte of a sum counts at most 255 signs.
                let end = min(bytes.count, index &+ 255 * 8)
                var counts: UInt64 = 0
                while index &+ 8 <= end {
                    counts &+= signs(in: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                    index &+= 8
                }
                total += sum(ofBytes: counts)
            }
            return total + bytes[index...].count(where: isSign)
        }
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// 1 in each byte that is a sign.
    private static func signs(in word: UInt64) -> UInt64 {
        // Both opening brackets are the same without this bit.
        let brackets = zeros(in: (word & ~(0x20 &* ones)) ^ (UInt64(UInt8(ascii: "[")) &* ones))
        return zeros(in: word ^ (UInt64(UInt8(ascii: ",")) &* ones))
            | zeros(in: word ^ (UInt64(UInt8(ascii: ":")) &* ones)) | brackets
    }

    /// 1 in each byte that is 0.
    private static func zeros(in word: UInt64) -> UInt64 {
        let low = 0x7F &* ones
        // The sum has the high bit of each byte whose lower bits are not all 0, and carries into no other byte.
        return (~(((word & low) &+ low) | word | low)) >> 7
    }

    private static func sum(ofBytes word: UInt64) -> Int {
        (0..<8).reduce(0) { $0 + Int((word >> (UInt64($1) &* 8)) & 0xFF) }
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }
}
