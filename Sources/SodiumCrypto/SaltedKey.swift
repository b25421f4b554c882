import CSodium

extension SecretKey {
    /// A key for one object, such as a file, from which neither this key nor that of another object can be computed.
    ///
    /// - Parameters:
    ///   - salt: distinguishes the objects: 16 bytes.
    ///   - purpose: exactly sixteen ASCII characters that name the use.
    public func subkey(purpose: StaticString, salt: [UInt8]) -> SecretKey {
        precondition(purpose.utf8CodeUnitCount == 16 && salt.count == 16, "a purpose and a salt have sixteen bytes")
        return SecretKey { target in
            withBytes { source in
                _ = crypto_generichash_blake2b_salt_personal(
                    target.assumingMemoryBound(to: UInt8.self).baseAddress!, target.count, nil, 0,
                    source.assumingMemoryBound(to: UInt8.self).baseAddress!, source.count, salt, purpose.utf8Start)
            }
        }
    }
}
