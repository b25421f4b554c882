/// Takes an input apart; at its end everything is zero or empty.
struct InputReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// With its length in two bytes before it.
    mutating func piece() -> [UInt8] { bytes(Int(byte()) << 8 | Int(byte())) }

    static func piece(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = bytes.prefix(0xFFFF)
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }
}
