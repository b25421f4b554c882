import DocumentStore
import Foundation
import SodiumCrypto

extension DatabaseConfiguration {
    /// Seals the attachments with a passphrase of which a key is made when an attachment or a sealed row is first needed: that
    /// takes half a second and hundreds of megabytes. A wrong passphrase is an error then, `.wrongPassphrase`.
    ///
    /// - Parameter passphrase: `nil` where it is not known. Attachments and sealed rows are errors then, too.
    package mutating func deferAttachmentKey(passphrase: String?) {
        blobStorage = DeferredBlobStorageProvider(passphrase: passphrase)
    }
}

/// Opens the vault of a database folder, and leaves its key sealed.
package struct DeferredBlobStorageProvider: VaultProvider {
    package let kind = BlobStorageKind.vault
    private let passphrase: String?
    let strength: PasswordStrength

    /// - Parameter strength: how much work guessing a new passphrase costs; less than the default is for tests.
    package init(passphrase: String?, strength: PasswordStrength = .moderate) {
        self.passphrase = passphrase
        self.strength = strength
    }

    /// A vault that is new, or of which a change was interrupted, is opened at once: its files are completed by that.
    package func open(folder: URL, hasSealedRows: Bool) throws -> any BlobStorage {
        if let passphrase, !VaultFiles(folder, strength: strength).isSealedAlone {
            return try SealedBlobStorageProvider(key: .passphrase(passphrase), strength: strength)
                .open(folder: folder, hasSealedRows: hasSealedRows)
        }
        try BlobFolder(folder).removeAbandonedDrafts()
        return DeferredBlobStorage(DeferredVault(folder: folder, passphrase: passphrase, strength: strength))
    }

    func opened(_ storage: any BlobStorage) throws -> SealedBlobStorage? {
        try (storage as? DeferredBlobStorage)?.opened() ?? storage as? SealedBlobStorage
    }
}
