import CSodium

/// How a key was derived from a passphrase. These parameters have to be stored: with them and the passphrase the key is
/// derived again.
///
/// Cost and salt are stored with the data so that a later version can raise the cost for new vaults.
public struct PassphraseParameters: Sendable, Hashable {
    public static let saltLength = Int(crypto_pwhash_argon2id_SALTBYTES)

    public let salt: [UInt8]
    public let operations: UInt64
    /// Bytes.
    public let memory: UInt64

    /// Parameters for a new key: a random salt and today's cost.
    public init(strength: PasswordStrength = .moderate) {
        salt = SecureRandom.bytes(Self.saltLength)
        operations = strength.operations
        memory = UInt64(strength.memory)
    }

    /// Parameters as they were stored; refuses values that Argon2id does not accept, and more memory than
    /// `memoryLimit`, for which a manipulated file could ask.
    public init(
        salt: [UInt8], operations: UInt64, memory: UInt64, memoryLimit: UInt64 = CryptoLimits.passphraseMemory
    ) throws(CryptoError) {
        guard salt.count == Self.saltLength, (1...CryptoLimits.passphraseOperations).contains(operations),
            memory >= UInt64(crypto_pwhash_argon2id_MEMLIMIT_MIN), memory <= memoryLimit
        else { throw CryptoError(.invalidParameter) }
        self.salt = salt
        self.operations = operations
        self.memory = memory
    }

    /// Derives the key with Argon2id; takes the time and the memory that the parameters name.
    public func key(for passphrase: String) throws(CryptoError) -> SecretKey {
        Sodium.ready()
        var secret = Array(passphrase.utf8CString)
        defer { wipe(&secret) }
        var status: CInt = -1
        let key = SecretKey { target in
            status = crypto_pwhash(
                target.assumingMemoryBound(to: UInt8.self).baseAddress!, UInt64(SecretKey.length), secret,
                UInt64(secret.count - 1), salt, operations, Int(memory), crypto_pwhash_alg_argon2id13())
        }
        guard status == 0 else { throw CryptoError(.outOfMemory) }
        return key
    }
}
