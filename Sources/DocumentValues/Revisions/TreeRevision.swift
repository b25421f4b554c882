/// A revision in a tree: its generation, counted from 1, and a digest that distinguishes it from its siblings (§3.1).
public struct TreeRevision: Sendable, Hashable, CustomStringConvertible {
    /// 1 for a document's first revision, then one more than the parent's.
    public let generation: UInt32
    /// Opaque; lower-case hexadecimal where we make it.
    public let digest: String

    public init(generation: UInt32, digest: String) {
        self.generation = generation
        self.digest = digest
    }

    /// Reads `generation-digest`: a decimal generation from 1 without leading zeros, and a digest.
    public init?(_ text: String) {
        self.init(Substring(text))
    }

    /// By bytes and without generics, for speed: several ids are read for each document that is sent.
    public init?(_ text: Substring) {
        var text = text
        guard let (generation, length) = text.withUTF8({ Self.generation(in: $0) }) else { return nil }
        let digest = Substring(text.utf8.dropFirst(length))
        guard Self.isDigest(digest) else { return nil }
        self.init(generation: generation, digest: String(digest))
    }

    /// The generation, and how many bytes it takes with the hyphen behind it.
    private static func generation(in bytes: UnsafeBufferPointer<UInt8>) -> (generation: UInt32, length: Int)? {
        var generation: UInt32 = 0
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "-") { return generation > 0 ? (generation, index + 1) : nil }
            guard (0x30...0x39).contains(byte) else { return nil }
            let (tens, isTooLarge) = generation.multipliedReportingOverflow(by: 10)
            let (next, isTooLargeAgain) = tens.addingReportingOverflow(UInt32(byte - 0x30))
            // Leading zeros would be a second spelling of the same generation.
            guard !isTooLarge, !isTooLargeAgain, next > 0 else { return nil }
            generation = next
        }
        return nil
    }

    /// Whether a text from outside can be a digest: visible ASCII without the separators of histories (`,`) and stored
    /// trees (`/`, `!`).
    package static func isDigest(_ text: Substring) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            for byte in bytes {
                switch byte {
                case UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "!"): return false
                default: guard byte > 0x20, byte < 0x7F else { return false }
                }
            }
            return !bytes.isEmpty
        }
    }

    package static func isDigest(_ text: String) -> Bool { isDigest(Substring(text)) }

    public var description: String { String(generation) + "-" + digest }
}

extension TreeRevision: Comparable {
    /// By generation, then by the bytes of the digest.
    public static func < (left: TreeRevision, right: TreeRevision) -> Bool {
        if left.generation != right.generation { return left.generation < right.generation }
        return left.digest.utf8.lexicographicallyPrecedes(right.digest.utf8)
    }
}
