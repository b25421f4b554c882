import DocumentStore
import Foundation
import SodiumCrypto

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
        let databaseKey = try files(folder).open(with: key, hasSealedRows: hasSealedRows)
        let storage = SealedBlobStorage(folder: folder, databaseKey: databaseKey, kind: kind)
        try BlobFolder(folder).removeAbandonedDrafts()
        return storage
    }

    /// Protects the database key of an open vault in another way.
    func protect(_ storage: SealedBlobStorage, by key: AttachmentKey) throws {
        try files(storage.url).write(storage.databaseKey, protectedBy: key)
    }

    private func files(_ folder: URL) -> VaultFiles { VaultFiles(folder, strength: strength) }
}
