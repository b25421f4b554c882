import DocumentStore
import DocumentValues
import Foundation
import Glibc
import SodiumCrypto

/// The files that hold a vault's database key, and what is in them.
///
/// `vault.key` is the key itself, in base64, in a file that only its owner may read; `vault.json` is the key sealed with
/// one that is derived from the passphrase. While both are there, which only a crash can leave, the passphrase counts.
struct VaultFiles: Sendable {
    private let folder: URL
    /// What guessing a new passphrase costs.
    private let strength: PasswordStrength
    private var plainKey: URL { folder.appendingPathComponent("vault.key") }
    private var sealedKey: URL { folder.appendingPathComponent("vault.json") }
    private static let context = Array("fieldbook vault 1".utf8)

    init(_ folder: URL, strength: PasswordStrength = .moderate) {
        self.folder = folder
        self.strength = strength
    }

    var protection: AttachmentProtection {
        if access(sealedKey.path, F_OK) == 0 { return .passphrase }
        return access(plainKey.path, F_OK) == 0 ? .keyFile : .none
    }

    // MARK: Reading

    func open(with key: AttachmentKey) throws -> SecretKey {
        switch (protection, key) {
        case (.passphrase, .passphrase(let passphrase)): return try unseal(passphrase)
        case (.keyFile, .keyFile): return try readPlainKey()
        case (.passphrase, .keyFile):
            throw StoreError(
                .wrongAttachmentStorage, message: "The attachments of this folder are protected by a passphrase.",
                context: ["path": folder.path], hint: "Open it with the passphrase.")
        case (.keyFile, .passphrase):
            throw StoreError(
                .wrongAttachmentStorage, message: "The attachments of this folder are protected by a key file.",
                context: ["path": folder.path], hint: "Open it without a passphrase, then set one.")
        case (.none, _): return try make(with: key)
        }
    }

    private func make(with key: AttachmentKey) throws -> SecretKey {
        guard try !hasBlobs() else {
            throw StoreError(
                .corruptData, message: "The key of the attachments is missing.", context: ["path": folder.path],
                hint: "Restore vault.key or vault.json from a backup of this folder.")
        }
        let databaseKey = SecretKey()
        try write(databaseKey, protectedBy: key)
        return databaseKey
    }

    /// A new key would make all that is there unreadable for ever.
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
        do { return Array(try Data(contentsOf: file)) } catch {
            throw StoreError.file(error, message: "The key of the attachments cannot be read.", file: file)
        }
    }

    private func damaged(_ file: URL) -> StoreError {
        StoreError(
            .corruptData, message: "The key of the attachments is damaged.", context: ["path": file.path],
            hint: "Restore the file from a backup of this folder.")
    }

    // MARK: Writing

    /// Writes the file for `key`, then removes the other one: a crash in between leaves a vault that opens.
    func write(_ databaseKey: SecretKey, protectedBy key: AttachmentKey) throws {
        switch key {
        case .keyFile:
            var bytes = databaseKey.withBytes { Array($0) }
            defer { wipe(&bytes) }
            try replace(plainKey, with: Array((Base64.encode(bytes) + "\n").utf8))
            try destroy(sealedKey)
        case .passphrase(let passphrase):
            guard !passphrase.isEmpty else {
                throw StoreError(.invalidParameter, message: "A passphrase must not be empty.")
            }
            let parameters = PassphraseParameters(strength: strength)
            let wrapped = try parameters.key(for: passphrase).wrap(databaseKey, context: Self.context)
            try replace(sealedKey, with: SealedKey(parameters: parameters, wrapped: wrapped).bytes)
            try destroy(plainKey)
        }
    }

    private func replace(_ file: URL, with bytes: [UInt8]) throws {
        let files = BlobFolder(folder)
        let draft = try files.newFile()
        defer { draft.discard() }
        try draft.write(bytes)
        try files.install(draft, at: file)
    }

    private func destroy(_ file: URL) throws {
        guard access(file.path, F_OK) == 0 else { return }
        try BlobFolder(folder).destroy(file)
    }
}

/// What `vault.json` holds.
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
