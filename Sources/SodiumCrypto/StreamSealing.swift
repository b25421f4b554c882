import CSodium

/// Seals a stream chunk by chunk with secretstream (XChaCha20-Poly1305): chunks cannot be reordered, left out or cut
/// off at the end unnoticed, since the last one bears a final tag.
public struct StreamSealer: ~Copyable {
    public static let headerLength = Int(crypto_secretstream_xchacha20poly1305_HEADERBYTES)
    /// How much longer a chunk gets.
    public static let chunkOverhead = Int(crypto_secretstream_xchacha20poly1305_ABYTES)

    /// Has to be kept in front of the sealed chunks.
    public let header: [UInt8]
    private var state: crypto_secretstream_xchacha20poly1305_state

    public init(key: SecretKey) {
        Sodium.ready()
        var header = [UInt8](repeating: 0, count: Self.headerLength)
        var state = crypto_secretstream_xchacha20poly1305_state()
        _ = key.withBytes { bytes in
            crypto_secretstream_xchacha20poly1305_init_push(
                &state, &header, bytes.assumingMemoryBound(to: UInt8.self).baseAddress!)
        }
        self.header = header
        self.state = state
    }

    /// Seals the next chunk; a stream ends with exactly one chunk, possibly empty, that says `isLast`.
    public mutating func seal(_ chunk: ArraySlice<UInt8>, isLast: Bool) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: chunk.count + Self.chunkOverhead)
        let tag =
            isLast
            ? crypto_secretstream_xchacha20poly1305_tag_final() : crypto_secretstream_xchacha20poly1305_tag_message()
        _ = chunk.withUnsafeBufferPointer { plain in
            crypto_secretstream_xchacha20poly1305_push(
                &state, &sealed, nil, plain.baseAddress, UInt64(plain.count), nil, 0, tag)
        }
        return sealed
    }
}

/// Opens a stream that `StreamSealer` sealed, chunk by chunk, in the same portions.
public struct StreamOpener: ~Copyable {
    private var state = crypto_secretstream_xchacha20poly1305_state()
    /// Whether the final chunk has been opened; data that ends earlier is truncated.
    public private(set) var isFinished = false

    public init(key: SecretKey, header: [UInt8]) throws(CryptoError) {
        Sodium.ready()
        guard header.count == StreamSealer.headerLength else { throw CryptoError(.truncated) }
        let status = key.withBytes { bytes in
            crypto_secretstream_xchacha20poly1305_init_pull(
                &state, header, bytes.assumingMemoryBound(to: UInt8.self).baseAddress!)
        }
        guard status == 0 else { throw CryptoError(.authenticationFailed) }
    }

    public mutating func open(_ sealed: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard !isFinished else { throw CryptoError(.trailingData) }
        guard sealed.count >= StreamSealer.chunkOverhead else { throw CryptoError(.truncated) }
        var plain = [UInt8](repeating: 0, count: sealed.count - StreamSealer.chunkOverhead)
        var tag: UInt8 = 0
        let status = crypto_secretstream_xchacha20poly1305_pull(
            &state, &plain, nil, &tag, sealed, UInt64(sealed.count), nil, 0)
        guard status == 0 else { throw CryptoError(.authenticationFailed) }
        isFinished = tag == crypto_secretstream_xchacha20poly1305_tag_final()
        return plain
    }
}
