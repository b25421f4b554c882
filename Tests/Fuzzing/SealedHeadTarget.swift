import SealedSQLite
import SodiumCrypto

extension FuzzTarget {
    /// The first bytes of an encrypted database. The cost of its password is limited whatever they say.
    static let sealedHead = FuzzTarget(
        name: "sealed-head",
        seeds: {
            let salt = [UInt8](repeating: 7, count: 16)
            return [
                salt + [1, 12, 3, 28, 1, 2, 3, 4], salt + [1, 9, 0, 0, 1, 2, 3, 4], Array("SQLite format 3\0".utf8),
            ]
        }
    ) { bytes in
        let head = try SealedHead(bytes)
        check(head.bytes == Array(bytes.prefix(SealedHead.length)), "a head is written in another way than it is read")
        check(head.pageSize >= 512 && head.pageSize <= 65_536, "no page of SQLite's: \(head.pageSize)")
        switch head.source {
        case .key: _ = try? FileSealing(head, secret: .key(SecretKey()))
        case .password(let operations, let memory):
            check(operations <= CryptoLimits.passphraseOperations, "too many operations: \(operations)")
            check(memory <= CryptoLimits.passphraseMemory, "too much memory: \(memory)")
        }
    }
}
