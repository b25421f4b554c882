import SodiumCrypto

/// The first bytes of a sealed database, the only ones that are plain: how its keys are made of a password or a key.
///
/// They replace the first 24 bytes of SQLite's header, which are the same in all our files: 16 bytes of salt, the version of
/// the format, the page size as a power of two, the cost of the password (operations, and the memory as a power of two; both
/// 0 for a key), and four bytes that only the right key yields.
package struct SealedHead: Sendable, Hashable {
    /// What the keys of the file are made of.
    package enum Source: Sendable, Hashable {
        /// A key of 32 bytes.
        case key
        /// A password. The memory is in bytes, a power of two.
        case password(operations: UInt64, memory: UInt64)
    }

    package static let length = 24
    static let saltLength = PassphraseParameters.saltLength
    static let checkLength = 4
    private static let version: UInt8 = 1

    package let salt: [UInt8]
    package let pageSize: Int
    package let source: Source
    /// A wrong key is found by it, also while a page is damaged. Four bytes of a hash do not help to guess a key: the pages'
    /// tags are there as well.
    package let check: [UInt8]

    package init(salt: [UInt8], pageSize: Int, source: Source, check: [UInt8]) {
        self.salt = salt
        self.pageSize = pageSize
        self.source = source
        self.check = check
    }

    /// - Throws: `.notSealed` for an SQLite database without encryption, `.newerFormat`, and `.notADatabase` for anything else.
    package init(_ bytes: [UInt8]) throws(SealedFileError) {
        guard !bytes.starts(with: PlainHeader.magic) else { throw SealedFileError(.notSealed) }
        guard bytes.count >= Self.length else { throw SealedFileError(.notADatabase) }
        guard bytes[16] == Self.version else {
            throw SealedFileError(Self.newerVersions.contains(bytes[16]) ? .newerFormat : .notADatabase)
        }
        guard SealedFileLimits.pageSizes.contains(bytes[17]),
            let source = Self.source(operations: bytes[18], memory: bytes[19])
        else { throw SealedFileError(.notADatabase) }
        self.init(
            salt: Array(bytes[..<Self.saltLength]), pageSize: 1 << Int(bytes[17]), source: source,
            check: Array(bytes[20..<Self.length]))
    }

    /// Whether a file with these bytes in front is a sealed database, also one of a newer version.
    package static func begins(_ bytes: [UInt8]) -> Bool {
        do throws(SealedFileError) {
            _ = try SealedHead(bytes)
            return true
        } catch { return error.code == .newerFormat }
    }

    /// Other numbers are most likely no version at all.
    private static let newerVersions: ClosedRange<UInt8> = 2...9

    private static func source(operations: UInt8, memory: UInt8) -> Source? {
        if operations == 0 { return memory == 0 ? .key : nil }
        guard UInt64(operations) <= CryptoLimits.passphraseOperations, SealedFileLimits.passwordMemory.contains(memory)
        else { return nil }
        return .password(operations: UInt64(operations), memory: 1 << UInt64(memory))
    }

    package var bytes: [UInt8] {
        let cost: [UInt8] =
            switch source {
            case .key: [0, 0]
            case .password(let operations, let memory): [UInt8(operations), UInt8(memory.trailingZeroBitCount)]
            }
        return salt + [Self.version, UInt8(pageSize.trailingZeroBitCount)] + cost + check
    }
}
