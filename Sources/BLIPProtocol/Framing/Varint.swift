import NIOCore

/// Unsigned LEB128: 7 bits a byte, the least significant first, the high bit meaning "more"; at most 10 bytes.
extension ByteBuffer {
    /// `nil`, with the reader index unchanged, when the bytes end too early or do not fit into 64 bits.
    mutating func readVarint() -> UInt64? {
        var value: UInt64 = 0
        var index = readerIndex
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = getInteger(at: index, as: UInt8.self) else { return nil }
            // The tenth byte holds the one bit that is left of 64.
            guard shift < 63 || byte <= 1 else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            index += 1
            if byte < 0x80 {
                moveReaderIndex(to: index)
                return value
            }
        }
        return nil
    }

    @discardableResult
    mutating func writeVarint(_ value: UInt64) -> Int {
        var rest = value
        var length = 1
        while rest >= 0x80 {
            writeInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
            length += 1
        }
        writeInteger(UInt8(truncatingIfNeeded: rest))
        return length
    }
}
