import CSodium

/// 32 secret bytes, kept in memory that is locked, guarded against overruns and wiped when the key is released.
public final class SecretKey: @unchecked Sendable {
    // Unchecked: the memory is written once, in `init`, and only read after that.
    public static let length = 32

    private let memory: UnsafeMutableRawPointer

    /// A random key.
    public convenience init() {
        self.init { randombytes_buf($0.baseAddress!, $0.count) }
    }

    /// Takes over a key's bytes; the caller wipes its own copy (see `wipe(_:)`).
    public convenience init(bytes: [UInt8]) throws(CryptoError) {
        guard bytes.count == Self.length else { throw CryptoError(.invalidParameter) }
        self.init { $0.copyBytes(from: bytes) }
    }

    init(filledBy fill: (UnsafeMutableRawBufferPointer) -> Void) {
        Sodium.ready()
        guard let memory = sodium_malloc(Self.length) else { fatalError("no memory for a key") }
        self.memory = memory
        fill(UnsafeMutableRawBufferPointer(start: memory, count: Self.length))
        sodium_mprotect_readonly(memory)
    }

    deinit { sodium_free(memory) }

    /// Lets `body` see the bytes; they must not be copied to memory that is not wiped.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: Self.length))
    }

    /// A key for one purpose, from which this key cannot be computed.
    ///
    /// - Parameters:
    ///   - purpose: exactly eight ASCII characters that name the use.
    ///   - number: distinguishes keys of the same purpose.
    public func subkey(purpose: StaticString, number: UInt64 = 0) -> SecretKey {
        precondition(purpose.utf8CodeUnitCount == 8, "a purpose has eight characters")
        return SecretKey { target in
            withBytes { source in
                _ = purpose.utf8Start.withMemoryRebound(to: CChar.self, capacity: 8) { context in
                    crypto_kdf_derive_from_key(
                        target.assumingMemoryBound(to: UInt8.self).baseAddress!, Self.length, number, context,
                        source.assumingMemoryBound(to: UInt8.self).baseAddress!)
                }
            }
        }
    }
}

/// Overwrites bytes in a way that the optimiser does not remove.
public func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { buffer in
        if let base = buffer.baseAddress { sodium_memzero(base, buffer.count) }
    }
}
