import Crypto

/// The name of a blob's content: `sha1-` and the base64 of the SHA-1 of its bytes, 33 characters.
public struct BlobDigest: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// Reads `sha1-` and 28 characters of padded base64 that represent 20 bytes.
    public init?(_ text: String) {
        guard text.hasPrefix("sha1-"), let bytes = Base64.decode(text.dropFirst(5)), bytes.count == 20,
            // The last character has two bits to spare; only one spelling may represent a content.
            Base64.encode(bytes) == text.dropFirst(5)
        else { return nil }
        self.text = text
    }

    public init(of content: [UInt8]) {
        var builder = BlobDigestBuilder()
        builder.update(content)
        self = builder.finish()
    }

    init(sha1 bytes: some Sequence<UInt8>) { text = "sha1-" + Base64.encode(Array(bytes)) }

    public var description: String { text }

    /// The 20 bytes of the SHA-1.
    public var bytes: [UInt8] { Base64.decode(text.dropFirst(5)) ?? [] }

    /// The answer to `proveAttachment`: a digest over the nonce (preceded by its length as one byte) and the content.
    public static func proof(nonce: [UInt8], content: [UInt8]) -> BlobDigest {
        var builder = BlobDigestBuilder(provingWith: nonce)
        builder.update(content)
        return builder.finish()
    }
}

/// Computes a digest from pieces, for content that is too large to hold.
public struct BlobDigestBuilder: Sendable {
    private var hash = Insecure.SHA1()
    public private(set) var length: UInt64 = 0

    public init() {}

    /// For an answer to `proveAttachment`; the nonce is not counted in `length`.
    public init(provingWith nonce: [UInt8]) {
        hash.update(data: [UInt8(truncatingIfNeeded: nonce.count)])
        hash.update(data: nonce)
    }

    public mutating func update(_ bytes: some Collection<UInt8>) {
        length += UInt64(bytes.count)
        if bytes.withContiguousStorageIfAvailable({ hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }) == nil {
            hash.update(data: Array(bytes))
        }
    }

    public func finish() -> BlobDigest { BlobDigest(sha1: hash.finalize()) }
}
