/// Writes numbers and pieces of bytes one behind the other.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: UInt32) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ piece: [UInt8]) {
        append(UInt32(piece.count))
        bytes.append(contentsOf: piece)
    }

    /// A piece, or `nil`, which is not the same as an empty piece.
    mutating func append(optional piece: [UInt8]?) {
        append(UInt32(piece == nil ? 0 : 1))
        if let piece { append(piece) }
    }
}

/// Reads the output of `ByteWriter`; every length is checked against the bytes that are left.
struct ByteReader {
    struct Truncated: Error {}

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func number() throws(Truncated) -> UInt32 {
        guard rest.count >= 4 else { throw Truncated() }
        var value: UInt32 = 0
        for byte in rest.prefix(4).reversed() { value = value << 8 | UInt32(byte) }
        rest = rest.dropFirst(4)
        return value
    }

    mutating func piece() throws(Truncated) -> [UInt8] {
        let count = Int(try number())
        guard rest.count >= count else { throw Truncated() }
        let piece = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        return piece
    }

    mutating func optionalPiece() throws(Truncated) -> [UInt8]? { try number() == 0 ? nil : try piece() }
}
