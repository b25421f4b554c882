import DocumentStore
import DocumentValues
import Foundation
import SodiumCrypto
import Synchronization

/// Opens or makes the vault of a database folder.
package struct SealedBlobStorageProvider: BlobStorageProvider {
    package let kind = BlobStorageKind.vault
    private let key: AttachmentKey
    private let strength: PasswordStrength

    /// - Parameter strength: how much work guessing a new passphrase costs; less than the default is for tests.
    package init(key: AttachmentKey, strength: PasswordStrength = .moderate) {
        self.key = key
        self.strength = strength
    }

    package func open(folder: URL, hasSealedRows: Bool) throws -> any BlobStorage {
        let files = VaultFiles(folder, strength: strength)
        let databaseKey = try files.open(with: key, hasSealedRows: hasSealedRows)
        let storage = SealedBlobStorage(folder: folder, files: files, databaseKey: databaseKey)
        try BlobFolder(folder).removeAbandonedDrafts()
        return storage
    }
}

/// Blobs as sealed files whose names do not reveal their content.
struct SealedBlobStorage: BlobStorage {
    let kind = BlobStorageKind.vault
    private let folder: BlobFolder
    private let files: VaultFiles
    private let databaseKey: SecretKey
    private let keys: KeyRing

    init(folder: URL, files: VaultFiles, databaseKey: SecretKey) {
        self.folder = BlobFolder(folder)
        self.files = files
        self.databaseKey = databaseKey
        keys = KeyRing(databaseKey)
    }

    var sealer: (any RowSealer)? { VaultRowSealer(key: keys.rows) }

    func contains(_ digest: BlobDigest) throws -> Bool { try folder.size(keys.name(of: digest)) != nil }

    func length(of digest: BlobDigest) throws -> UInt64? {
        try folder.size(keys.name(of: digest)).flatMap(SealedFormat.plainLength)
    }

    func reader(for digest: BlobDigest) throws -> (any BlobReader)? {
        let name = keys.name(of: digest)
        guard let file = try folder.openForReading(name) else { return nil }
        return try SealedBlobReader(file, digest: digest, name: name, keys: keys)
    }

    func writer() throws -> any BlobWriter { try SealedBlobWriter(folder: folder, keys: keys) }

    func remove(_ digest: BlobDigest) throws {
        try folder.remove(keys.name(of: digest), destroying: SealedFormat.prefixLength)
    }

    func removeAll(except keep: Set<BlobDigest>, untouchedSince date: Date) throws -> Int {
        try folder.removeAll(
            except: Set(keep.map(keys.name)), untouchedSince: date, destroying: SealedFormat.prefixLength)
    }

    func change(to key: AttachmentKey) throws { try files.write(databaseKey, protectedBy: key) }
}

/// Keys for each purpose, derived from the database key.
struct KeyRing: Sendable {
    /// Seals the keys of single blobs.
    let wrapping: SecretKey
    /// Turns digests into file names.
    private let naming: SecretKey
    /// Seals rows of the database.
    let rows: SecretKey

    init(_ databaseKey: SecretKey) {
        wrapping = databaseKey.subkey(purpose: "blobkeys")
        naming = databaseKey.subkey(purpose: "blobname")
        rows = databaseKey.subkey(purpose: "rowseals")
    }

    /// A reader of the folder who knows a content cannot find out from the names whether it is here.
    func name(of digest: BlobDigest) -> String { Hexadecimal.encode(naming.keyedHash(of: digest.bytes)) }
}

private struct VaultRowSealer: RowSealer {
    let key: SecretKey

    func seal(_ plain: [UInt8], context: String) throws -> [UInt8] { key.seal(plain, context: Array(context.utf8)) }

    func open(_ sealed: [UInt8], context: String) throws -> [UInt8] {
        do throws(CryptoError) { return try key.open(sealed, context: Array(context.utf8)) } catch {
            throw StoreError(.corruptData, message: "A sealed row cannot be opened: \(error).", underlying: error)
        }
    }
}
