/// The limits of this module, and the portions in which it works.
public enum CryptoLimits {
    /// Plain bytes in a chunk of a sealed stream: memory stays bounded, and 17 bytes more a chunk do not matter.
    public static let chunk = 64 * 1024
    /// The most memory a stored passphrase may make us use: 1 GiB, four times today's cost.
    public static let passphraseMemory: UInt64 = 1 << 30
    /// The most passes over that memory.
    public static let passphraseOperations: UInt64 = 16
}
