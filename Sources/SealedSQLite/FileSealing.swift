import SodiumCrypto

/// The head and the keys of one sealed database.
package final class FileSealing: Sendable {
    package let head: SealedHead
    let pages: SecretKey
    let log: SecretKey
    /// A database that is being made and is thrown away if that does not come to its end. Only such a one may have a rollback
    /// journal, which cannot be read again after a crash.
    let isDraft: Bool

    /// For a new file.
    ///
    /// - Parameter strength: how much work guessing the password costs.
    package convenience init(
        new secret: SealingSecret, strength: PasswordStrength = .moderate, isDraft: Bool = false
    ) throws(SealedFileError) {
        let source: SealedHead.Source
        switch secret {
        case .key: source = .key
        case .password:
            let cost = PassphraseParameters(strength: strength)
            source = .password(operations: cost.operations, memory: cost.memory)
        }
        var head = SealedHead(
            salt: SecureRandom.bytes(SealedHead.saltLength), pageSize: SealedFileLimits.pageSize, source: source,
            check: [])
        let root = try Self.root(of: secret, head: head)
        head = SealedHead(salt: head.salt, pageSize: head.pageSize, source: source, check: Self.check(root))
        self.init(head: head, root: root, isDraft: isDraft)
    }

    /// For a file with this head.
    ///
    /// - Throws: `.wrongKey`, `.needsKey` and `.needsPassword` if the file has another one; `.outOfMemory`.
    package convenience init(_ head: SealedHead, secret: SealingSecret) throws(SealedFileError) {
        let root = try Self.root(of: secret, head: head)
        guard constantTimeEqual(Self.check(root), and: head.check) else { throw SealedFileError(.wrongKey) }
        self.init(head: head, root: root, isDraft: false)
    }

    private init(head: SealedHead, root: SecretKey, isDraft: Bool) {
        self.head = head
        self.isDraft = isDraft
        pages = root.subkey(purpose: "sealpage")
        log = root.subkey(purpose: "seallogs")
    }

    /// A key of the file alone, so that no page of another file with the same password or key fits.
    private static func root(of secret: SealingSecret, head: SealedHead) throws(SealedFileError) -> SecretKey {
        try secret.master(head).subkey(purpose: "fieldbook sealed", salt: head.salt)
    }

    private static func check(_ root: SecretKey) -> [UInt8] {
        root.subkey(purpose: "keycheck").withBytes { Array($0.prefix(SealedHead.checkLength)) }
    }
}
