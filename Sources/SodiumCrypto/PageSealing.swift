import CSodium

/// Sealing of the pages of a file, from one buffer into another of the same length, without memory of its own.
///
/// XChaCha20-Poly1305 with a new random nonce each time. Nonce and tag are the *mark*, `sealingOverhead` bytes that the
/// caller keeps beside the page; `context` is not stored but must be the same when the page is opened.
extension SecretKey {
    /// - Parameters:
    ///   - sealed: where the sealed bytes go: as many as `plain` has.
    ///   - mark: where nonce and tag go: `sealingOverhead` bytes.
    public func seal(
        _ plain: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawPointer, mark: UnsafeMutableRawPointer,
        context: UnsafeRawBufferPointer
    ) {
        randombytes_buf(mark, Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES))
        let tag = mark + Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
        _ = withBytes { key in
            crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
                Self.bytes(sealed), Self.bytes(tag), nil, plain.assumingMemoryBound(to: UInt8.self).baseAddress,
                UInt64(plain.count), context.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(context.count),
                nil, Self.bytes(mark), key.assumingMemoryBound(to: UInt8.self).baseAddress!)
        }
    }

    /// - Parameter plain: where the plain bytes go: as many as `sealed` has. Zeros if they cannot be opened.
    /// - Returns: whether they were sealed with this key, mark and context.
    public func open(
        _ sealed: UnsafeRawBufferPointer, into plain: UnsafeMutableRawPointer, mark: UnsafeRawPointer,
        context: UnsafeRawBufferPointer
    ) -> Bool {
        let nonce = mark.assumingMemoryBound(to: UInt8.self)
        let status = withBytes { key in
            crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
                Self.bytes(plain), nil, sealed.assumingMemoryBound(to: UInt8.self).baseAddress!, UInt64(sealed.count),
                nonce + Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES),
                context.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(context.count), nonce,
                key.assumingMemoryBound(to: UInt8.self).baseAddress!)
        }
        return status == 0
    }

    private static func bytes(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt8> {
        memory.assumingMemoryBound(to: UInt8.self)
    }
}
