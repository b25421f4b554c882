import CSodium

/// Sealing of small data in one piece: keys under other keys, rows of a table.
///
/// XChaCha20-Poly1305 with a random 24-byte nonce in front; `context` is not stored but must be the same when the data
/// is opened, so that sealed data cannot be moved elsewhere unnoticed.
extension SecretKey {
    private static let nonceLength = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    private static let tagLength = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    /// How much longer the sealed form is.
    public static let sealingOverhead = nonceLength + tagLength

    public func seal(_ plain: [UInt8], context: [UInt8]) -> [UInt8] {
        plain.withUnsafeBytes { seal($0, context: context) }
    }

    func seal(_ plain: UnsafeRawBufferPointer, context: [UInt8]) -> [UInt8] {
        let nonce = SecureRandom.bytes(Self.nonceLength)
        var sealed = [UInt8](repeating: 0, count: plain.count + Self.tagLength)
        _ = withBytes { key in
            crypto_aead_xchacha20poly1305_ietf_encrypt(
                &sealed, nil, plain.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(plain.count), context,
                UInt64(context.count), nil, nonce, key.assumingMemoryBound(to: UInt8.self).baseAddress!)
        }
        return nonce + sealed
    }

    public func open(_ sealed: [UInt8], context: [UInt8]) throws(CryptoError) -> [UInt8] {
        Sodium.ready()
        guard sealed.count >= Self.sealingOverhead else { throw CryptoError(.truncated) }
        var plain = [UInt8](repeating: 0, count: sealed.count - Self.sealingOverhead)
        let status = withBytes { key in
            sealed.withUnsafeBufferPointer { buffer in
                crypto_aead_xchacha20poly1305_ietf_decrypt(
                    &plain, nil, nil, buffer.baseAddress! + Self.nonceLength, UInt64(sealed.count - Self.nonceLength),
                    context, UInt64(context.count), buffer.baseAddress!,
                    key.assumingMemoryBound(to: UInt8.self).baseAddress!)
            }
        }
        guard status == 0 else { throw CryptoError(.authenticationFailed) }
        return plain
    }

    /// Seals another key under this one.
    public func wrap(_ key: SecretKey, context: [UInt8]) -> [UInt8] {
        key.withBytes { seal($0, context: context) }
    }

    public func unwrap(_ wrapped: [UInt8], context: [UInt8]) throws(CryptoError) -> SecretKey {
        var bytes = try open(wrapped, context: context)
        defer { wipe(&bytes) }
        return try SecretKey(bytes: bytes)
    }

    /// A name for `data` that only holders of the key can compute: 32 bytes of keyed BLAKE2b.
    public func keyedHash(of data: [UInt8]) -> [UInt8] {
        Sodium.ready()
        var hash = [UInt8](repeating: 0, count: 32)
        _ = withBytes { key in
            crypto_generichash(
                &hash, hash.count, data, UInt64(data.count), key.assumingMemoryBound(to: UInt8.self).baseAddress!,
                key.count)
        }
        return hash
    }
}
