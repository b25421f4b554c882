/// Bytes to be looked for in either case. It takes some other signs for the same, too, and no two letters.
///
/// A search goes through megabytes of documents, so it looks at sixteen bytes at once.
struct FoldedBytes {
    fileprivate typealias Bytes = SIMD16<UInt8>

    private let bytes: [UInt8]
    private let first: Bytes
    private let last: Bytes

    /// The bit that small letters have, and capitals do not.
    private static let small: UInt8 = 0x20

    init(_ text: some Sequence<UInt8>) {
        bytes = text.map { $0 | Self.small }
        first = Bytes(repeating: bytes.first ?? 0)
        last = Bytes(repeating: bytes.last ?? 0)
    }

    func isPart(of text: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        guard let base = text.baseAddress, text.count >= bytes.count else { return false }
        let starts = text.count - bytes.count + 1
        var start = 0
        while start + 4 * Bytes.scalarCount <= starts {
            let near = pointwiseMin(
                pointwiseMin(difference(base + start), difference(base + start + 16)),
                pointwiseMin(difference(base + start + 32), difference(base + start + 48)))
            let next = start + 4 * Bytes.scalarCount
            if near.min() == 0, isAny(of: text, at: start..<next) { return true }
            start = next
        }
        while start + Bytes.scalarCount <= starts {
            let next = start + Bytes.scalarCount
            if difference(base + start).min() == 0, isAny(of: text, at: start..<next) { return true }
            start = next
        }
        return isAny(of: text, at: start..<starts)
    }

    /// 0 in each byte with which the first and the last byte may begin and end.
    @inline(__always)
    private func difference(_ start: UnsafeRawPointer) -> Bytes {
        let small = Bytes(repeating: Self.small)
        let behind = start + (bytes.count - 1)
        return ((start.loadUnaligned(as: Bytes.self) | small) ^ first)
            | ((behind.loadUnaligned(as: Bytes.self) | small) ^ last)
    }

    private func isAny(of text: UnsafeRawBufferPointer, at starts: Range<Int>) -> Bool {
        for start in starts where isHere(text, at: start) { return true }
        return false
    }

    private func isHere(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
        for index in bytes.indices where text[start + index] | Self.small != bytes[index] { return false }
        return true
    }
}

extension UnsafeRawBufferPointer {
    /// Whether JSON has its texts as they are: all is ASCII, and nothing is escaped.
    var isPlain: Bool {
        guard let baseAddress else { return true }
        let escape = FoldedBytes.Bytes(repeating: UInt8(ascii: "\\"))
        var all = FoldedBytes.Bytes()
        var nearest = FoldedBytes.Bytes(repeating: .max)
        var offset = 0
        while offset + FoldedBytes.Bytes.scalarCount <= count {
            let next = (baseAddress + offset).loadUnaligned(as: FoldedBytes.Bytes.self)
            all |= next
            nearest = pointwiseMin(nearest, next ^ escape)
            offset += FoldedBytes.Bytes.scalarCount
        }
        let rest = self[offset...].allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\\") }
        return rest && all.max() < 0x80 && nearest.min() > 0
    }
}
