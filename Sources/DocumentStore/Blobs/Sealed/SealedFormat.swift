import SodiumCrypto

/// The layout of a sealed blob: `FBV1`, the blob's own key sealed with the vault's, the header of the stream, and the
/// chunks, all but the last of `CryptoLimits.chunk` plain bytes.
enum SealedFormat {
    static let mark = Array("FBV1".utf8)
    static let wrappedKeyLength = SecretKey.length + SecretKey.sealingOverhead
    /// The part that a purge overwrites: without the key in it the rest is noise.
    static let prefixLength = mark.count + wrappedKeyLength
    static let headerLength = prefixLength + StreamSealer.headerLength
    static let sealedChunk = CryptoLimits.chunk + StreamSealer.chunkOverhead

    /// `nil` for a file that is too short to be one of ours.
    static func plainLength(_ fileLength: UInt64) -> UInt64? {
        guard fileLength >= UInt64(headerLength + StreamSealer.chunkOverhead) else { return nil }
        let sealed = fileLength - UInt64(headerLength)
        let chunks = (sealed + UInt64(sealedChunk) - 1) / UInt64(sealedChunk)
        let overhead = chunks * UInt64(StreamSealer.chunkOverhead)
        return sealed >= overhead ? sealed - overhead : nil
    }
}
