import SodiumCrypto

/// The limits of this module.
package enum SealedFileLimits {
    /// Bytes of a page of a new database.
    package static let pageSize = 8 * 1024
    /// The page sizes of SQLite, as powers of two: 512 bytes to 64 KiB.
    static let pageSizes: ClosedRange<UInt8> = 9...16
    /// The memory that a password may cost, as powers of two: from the least of Argon2id to 1 GiB, as for the attachments.
    static let passwordMemory: ClosedRange<UInt8> = 13...UInt8(CryptoLimits.passphraseMemory.trailingZeroBitCount)
    /// Bytes of a temporary file that are sealed as one; SQLite writes most of them in pages of this size.
    static let scratchBlock = 4096
}
