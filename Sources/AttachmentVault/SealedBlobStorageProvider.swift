import DocumentStore
import Foundation
import SodiumCrypto

/// Opens or makes the vault of a database folder.
package struct SealedBlobStorageProvider: BlobStorageProvider {
    package let kind = BlobStorageKind.vault
    private let key: AttachmentKey
    let strength: PasswordStrength

    /// - Parameter strength: how much work guessing a new passphrase costs; less than the default is for tests.
    package init(key: AttachmentKey, strength: PasswordStrength = .moderate) {
        self.key = key
        self.strength = strength
    }

    package func open(folder: URL, hasSealedRows: Bool) throws -> any BlobStorage {
        let databaseKey = try files(folder).open(with: key, hasSealedRows: hasSealedRows)
        let storage = SealedBlobStorage(folder: folder, databaseKey: databaseKey, kind: kind)
        try BlobFolder(folder).removeAbandonedDrafts()
        return storage
    }

    private func files(_ folder: URL) -> VaultFiles { VaultFiles(folder, strength: strength) }
}

/// A provider of vaults, whose database key can be protected in another way.
protocol VaultProvider: BlobStorageProvider {
    /// How much work guessing a new passphrase costs.
    var strength: PasswordStrength { get }

    /// The vault with its key; `nil` for a storage of another kind.
    func opened(_ storage: any BlobStorage) throws -> SealedBlobStorage?
}

extension VaultProvider {
    func protect(_ storage: SealedBlobStorage, by key: AttachmentKey) throws {
        try VaultFiles(storage.url, strength: strength).write(storage.databaseKey, protectedBy: key)
    }
}

extension SealedBlobStorageProvider: VaultProvider {
    func opened(_ storage: any BlobStorage) throws -> SealedBlobStorage? { storage as? SealedBlobStorage }
}
