import DocumentStore
import DocumentValues
import Foundation
import Glibc
import SodiumCrypto

/// The files with a vault's database key, and their content.
///
/// `vault.key` is the key itself, in base64, in a file that only its owner may read; `vault.json` is the key sealed with
/// one that is derived from the passphrase. Both are there only where a change of the protection was interrupted.
struct VaultFiles: Sendable {
    /// Which of the two files exist.
    private enum Content {
        case nothing
        case plainKey
        case sealedKey
        /// The passphrase is valid. Either it was to be removed, and is not yet, or it is new, and the plain key is to be
        /// removed.
        case both
    }

    /// The steps of a change of the protection on the disk; each step is durable before the next one begins.
    enum Step: Sendable {
        case install(URL, [UInt8])
        case overwrite(URL)
        case remove(URL)
    }

    private let folder: URL
    /// How much work guessing a new passphrase costs.
    private let strength: PasswordStrength
    private var plainKey: URL { folder.appendingPathComponent("vault.key") }
    private var sealedKey: URL { folder.appendingPathComponent("vault.json") }
    private static let context = Array("fieldbook vault 1".utf8)

    init(_ folder: URL, strength: PasswordStrength = .moderate) {
        self.folder = folder
        self.strength = strength
    }

    private var content: Content {
        switch (access(plainKey.path, F_OK) == 0, access(sealedKey.path, F_OK) == 0) {
        case (false, false): .nothing
        case (true, false): .plainKey
        case (false, true): .sealedKey
        // A key file that an earlier version had overwritten, and not removed yet, has no key.
        case (true, true): isSealedKeyReadable ? .both : .plainKey
        }
    }

    private var isSealedKeyReadable: Bool {
        guard let bytes = try? read(sealedKey) else { return false }
        return SealedKey(bytes) != nil
    }

    var protection: AttachmentProtection {
        switch content {
        case .nothing: .none
        case .plainKey: .keyFile
        case .sealedKey, .both: .passphrase
        }
    }

    /// Whether the passphrase is the only way to the key, and there is nothing to complete.
    var isSealedAlone: Bool {
        switch content {
        case .sealedKey: true
        case .nothing, .plainKey, .both: false
        }
    }

    // MARK: Reading

    /// - Parameter hasSealedRows: rows, and not only blobs, are sealed with this key.
    func open(with key: AttachmentKey, hasSealedRows: Bool = false) throws -> SecretKey {
        switch (content, key) {
        case (.sealedKey, .passphrase(let passphrase)): return try unseal(passphrase)
        case (.both, .passphrase(let passphrase)):
            let databaseKey = try unseal(passphrase)
            removePlainKey()
            return databaseKey
        case (.plainKey, .keyFile): return try readPlainKey()
        case (.sealedKey, .keyFile), (.both, .keyFile):
            throw StoreError(
                .wrongAttachmentStorage, message: "The attachments of this folder are protected by a passphrase.",
                context: ["path": folder.path], hint: "Open it with the passphrase.")
        case (.plainKey, .passphrase):
            throw StoreError(
                .wrongAttachmentStorage, message: "The attachments of this folder are protected by a key file.",
                context: ["path": folder.path], hint: "Open it without a passphrase, then set one.")
        case (.nothing, _): return try make(with: key, hasSealedRows: hasSealedRows)
        }
    }

    /// Bytes; a sealed key takes some hundreds.
    private static let longestFile = 64 * 1024

    /// A passphrase protects nothing while the plain key is beside it.
    private func removePlainKey() {
        do {
            for step in removal(of: plainKey) { try perform(step) }
        } catch {
            LibraryLog.database.error("The key file that a passphrase has replaced cannot be removed: \(error)")
        }
    }

    /// A new key would make all that is there unreadable for ever.
    private func make(with key: AttachmentKey, hasSealedRows: Bool) throws -> SecretKey {
        guard try !hasSealedRows && !hasBlobs() else {
            throw StoreError(
                .corruptData, message: "The key of the attachments is missing.", context: ["path": folder.path],
                hint: "Restore vault.key or vault.json from a backup of this folder.")
        }
        let databaseKey = SecretKey()
        try write(databaseKey, protectedBy: key)
        return databaseKey
    }

    private func hasBlobs() throws -> Bool {
        guard FileManager.default.fileExists(atPath: folder.path) else { return false }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.utf8.count == 2 }
    }

    private func readPlainKey() throws -> SecretKey {
        var bytes = try read(plainKey)
        defer { wipe(&bytes) }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard var key = Base64.decode(text), key.count == SecretKey.length else { throw damaged(plainKey) }
        defer { wipe(&key) }
        return try SecretKey(bytes: key)
    }

    private func unseal(_ passphrase: String) throws -> SecretKey {
        let stored = SealedKey(try read(sealedKey))
        guard let stored else { throw damaged(sealedKey) }
        do throws(CryptoError) {
            return try stored.parameters.key(for: passphrase).unwrap(stored.wrapped, context: Self.context)
        } catch {
            guard error.code != .outOfMemory else {
                throw StoreError(
                    StoreError.Code(rawValue: CBLError.memoryError),
                    message: "There is not enough memory to open the attachments.", underlying: error)
            }
            throw StoreError(
                .wrongPassphrase, message: "The passphrase does not open the attachments.",
                context: ["path": folder.path],
                hint: "Check the keyboard layout and try again.")
        }
    }

    private func read(_ file: URL) throws -> [UInt8] {
        try FolderFile.bytes(
            of: file, upTo: Self.longestFile, orRefusal: "The key of the attachments cannot be read.")
    }

    private func damaged(_ file: URL) -> StoreError {
        StoreError(
            .corruptData, message: "The key of the attachments is damaged.", context: ["path": file.path],
            hint: "Restore the file from a backup of this folder.")
    }

    // MARK: Writing

    /// A crash in between leaves a vault that opens as before, or as it is to be.
    func write(_ databaseKey: SecretKey, protectedBy key: AttachmentKey) throws {
        for step in try steps(protecting: databaseKey, by: key) { try perform(step) }
    }

    func steps(protecting databaseKey: SecretKey, by key: AttachmentKey) throws -> [Step] {
        switch key {
        case .keyFile:
            var bytes = databaseKey.withBytes { Array($0) }
            defer { wipe(&bytes) }
            // Not overwritten with zeros: its content is no secret beside the plain key, and an overwritten file would be no
            // valid key if the removal failed.
            return [.install(plainKey, Array((Base64.encode(bytes) + "\n").utf8)), .remove(sealedKey)]
        case .passphrase(let passphrase):
            guard !passphrase.isEmpty else {
                throw StoreError(.invalidParameter, message: "A passphrase must not be empty.")
            }
            let parameters = PassphraseParameters(strength: strength)
            let wrapped = try parameters.key(for: passphrase).wrap(databaseKey, context: Self.context)
            return [.install(sealedKey, SealedKey(parameters: parameters, wrapped: wrapped).bytes)]
                + removal(of: plainKey)
        }
    }

    private func removal(of file: URL) -> [Step] { [.overwrite(file), .remove(file)] }

    func perform(_ step: Step) throws {
        let files = BlobFolder(folder)
        switch step {
        case .install(let file, let bytes):
            let draft = try files.newFile()
            defer { draft.discard() }
            try draft.write(bytes)
            try files.install(draft, at: file)
        case .overwrite(let file): try files.overwrite(file)
        case .remove(let file): try files.remove(file)
        }
    }
}

/// The content of `vault.json`.
private struct SealedKey {
    let parameters: PassphraseParameters
    let wrapped: [UInt8]

    init(parameters: PassphraseParameters, wrapped: [UInt8]) {
        self.parameters = parameters
        self.wrapped = wrapped
    }

    /// `nil` if it is something else.
    init?(_ bytes: [UInt8]) {
        guard let object = try? JSONObject(parsing: bytes), object["format"]?.integerValue == 1,
            let salt = object["salt"]?.stringValue.flatMap({ Base64.decode($0) }),
            let operations = object["operations"]?.integerValue.flatMap(UInt64.init(exactly:)),
            let memory = object["memory"]?.integerValue.flatMap(UInt64.init(exactly:)),
            let wrapped = object["key"]?.stringValue.flatMap({ Base64.decode($0) }),
            let parameters = try? PassphraseParameters(salt: salt, operations: operations, memory: memory)
        else { return nil }
        self.init(parameters: parameters, wrapped: wrapped)
    }

    var bytes: [UInt8] {
        let object: JSONObject = [
            "format": 1, "derivation": "argon2id", "salt": .string(Base64.encode(parameters.salt)),
            "operations": .number(JSONNumber(parameters.operations)), "memory": .number(JSONNumber(parameters.memory)),
            "key": .string(Base64.encode(wrapped)),
        ]
        return object.bytes + [UInt8(ascii: "\n")]
    }
}
