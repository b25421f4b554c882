import SodiumCrypto

/// What opens a sealed database.
package enum SealingSecret: Sendable {
    case password(String)
    case key(SecretKey)

    /// The key that it yields with the salt and the cost of a file.
    func master(_ head: SealedHead) throws(SealedFileError) -> SecretKey {
        switch (self, head.source) {
        case (.key(let key), .key): return key
        case (.password(let password), .password(let operations, let memory)):
            do throws(CryptoError) {
                let parameters = try PassphraseParameters(salt: head.salt, operations: operations, memory: memory)
                return try parameters.key(for: password)
            } catch {
                throw SealedFileError(error.code == .outOfMemory ? .outOfMemory : .notADatabase)
            }
        case (.key, .password): throw SealedFileError(.needsPassword)
        case (.password, .key): throw SealedFileError(.needsKey)
        }
    }
}
