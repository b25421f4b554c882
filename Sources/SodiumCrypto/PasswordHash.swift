import CSodium

/// How much work guessing a password costs, by libsodium's recommendation for each use.
public enum PasswordStrength: Sendable, Hashable, CaseIterable {
    /// The least that the algorithm allows: for tests only.
    case testsOnly
    /// About 50 ms and 64 MiB: for logins.
    case interactive
    /// About 0.4 s and 256 MiB: for the passphrase of a vault.
    case moderate

    var operations: UInt64 {
        switch self {
        case .testsOnly: UInt64(crypto_pwhash_argon2id_OPSLIMIT_MIN)
        case .interactive: UInt64(crypto_pwhash_argon2id_OPSLIMIT_INTERACTIVE)
        case .moderate: UInt64(crypto_pwhash_argon2id_OPSLIMIT_MODERATE)
        }
    }

    var memory: Int {
        switch self {
        case .testsOnly: Int(crypto_pwhash_argon2id_MEMLIMIT_MIN)
        case .interactive: Int(crypto_pwhash_argon2id_MEMLIMIT_INTERACTIVE)
        case .moderate: Int(crypto_pwhash_argon2id_MEMLIMIT_MODERATE)
        }
    }
}

/// Argon2id hashes of passwords in their usual text form (`$argon2id$v=19$m=…`), salt and cost included.
public enum PasswordHash {
    /// Hashes a password for keeping; no two hashes of one password are equal.
    public static func make(
        _ password: String, strength: PasswordStrength = .interactive
    ) throws(CryptoError) -> String {
        Sodium.ready()
        var text = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
        var secret = Array(password.utf8CString)
        defer { wipe(&secret) }
        let status = crypto_pwhash_str(
            &text, secret, UInt64(secret.count - 1), strength.operations, strength.memory)
        guard status == 0 else { throw CryptoError(.outOfMemory) }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether `hash` was made of this password; false for a text that is no hash at all.
    public static func verify(_ password: String, against hash: String) -> Bool {
        Sodium.ready()
        var secret = Array(password.utf8CString)
        defer { wipe(&secret) }
        guard hash.utf8.count < crypto_pwhash_strbytes() else { return false }
        return crypto_pwhash_str_verify(hash, secret, UInt64(secret.count - 1)) == 0
    }

    /// Whether the hash was made at another cost than that of `strength`.
    public static func needsRenewal(_ hash: String, strength: PasswordStrength = .interactive) -> Bool {
        Sodium.ready()
        guard hash.utf8.count < crypto_pwhash_strbytes() else { return true }
        return crypto_pwhash_str_needs_rehash(hash, strength.operations, strength.memory) != 0
    }
}

func wipe(_ characters: inout [CChar]) {
    characters.withUnsafeMutableBytes { buffer in
        if let base = buffer.baseAddress { sodium_memzero(base, buffer.count) }
    }
}
