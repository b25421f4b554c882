/// The first bytes of a key, to be compared at once.
struct KeyBytes: Sendable {
    /// How many these are.
    static let longest = 16

    private(set) var first: UInt64 = 0
    private(set) var second: UInt64 = 0
    private(set) var firstMask: UInt64 = 0
    private(set) var secondMask: UInt64 = 0

    init(_ bytes: some Collection<UInt8>) {
        for (index, byte) in bytes.prefix(Self.longest).enumerated() {
            // The first byte is the lowest.
            let shift = UInt64(8 * (index % 8))
            if index < 8 {
                first |= UInt64(byte) << shift
                firstMask |= 0xFF << shift
            } else {
                second |= UInt64(byte) << shift
                secondMask |= 0xFF << shift
            }
        }
    }
}

/// A key that documents are searched for.
struct SoughtKey: Sendable {
    /// Where its bytes begin in those of the target.
    let start: Int
    let count: Int
    /// Whether a document may have it as it is: what JSON has to escape is never there so.
    let isPlain: Bool
    /// With the quotation mark behind it.
    let quoted: KeyBytes
    /// Whether that is all of it, and can be looked for.
    let isShort: Bool

    init(_ key: [UInt8], end: Int) {
        start = end - key.count
        count = key.count
        isPlain = key.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        quoted = KeyBytes(key + [UInt8(ascii: "\"")])
        isShort = isPlain && key.count < KeyBytes.longest
    }
}

/// A key that an earlier document had at a position among its members. Those of one collection have nearly all the same
/// ones: to see that takes half the time of looking for the key's end.
struct KeyHint: Sendable {
    /// Members for which there is one.
    static let count = 16

    /// With the quotation mark behind it.
    let bytes: KeyBytes
    let length: Int

    /// - Parameter quoted: a key without escapes, with the quotation mark behind it. A long one gives no hint.
    init(_ quoted: UnsafeBufferPointer<UInt8>) {
        let isShort = !quoted.isEmpty && quoted.count <= KeyBytes.longest
        // No key begins with a zero.
        bytes = isShort ? KeyBytes(quoted) : KeyBytes(CollectionOfOne(0))
        length = isShort ? quoted.count : 0
    }

    /// None.
    init() { self.init(UnsafeBufferPointer(start: nil, count: 0)) }
}
