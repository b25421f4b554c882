import DocumentStore
import DocumentValues
import Foundation

extension DatabaseConfiguration {
    /// Leaves the vault locked: the documents can be read and changed without its key, its attachments count as missing, and
    /// none can be stored.
    package mutating func leaveAttachmentsLocked() { blobStorage = LockedBlobStorageProvider() }
}

private struct LockedBlobStorageProvider: BlobStorageProvider {
    let kind = BlobStorageKind.vault

    func open(folder: URL, hasSealedRows: Bool) throws -> any BlobStorage { LockedBlobStorage() }
}

/// The blobs of a vault that was opened without its key.
private struct LockedBlobStorage: BlobStorage {
    let kind = BlobStorageKind.vault
    var sealer: (any RowSealer)? { nil }
    var access: BlobAccess { .locked }

    func contains(_ digest: BlobDigest) throws -> Bool { false }

    func length(of digest: BlobDigest) throws -> UInt64? { nil }

    func reader(for digest: BlobDigest) throws -> (any BlobReader)? { nil }

    func writer() throws -> any BlobWriter {
        throw StoreError(
            .wrongPassphrase, message: "The attachments of this folder are locked.",
            hint: "Open the folder with its passphrase.")
    }

    /// The file stays: without the key its name is not known.
    func remove(_ digest: BlobDigest) throws {}

    func removeAll(except keep: Set<BlobDigest>, untouchedSince date: Date) throws -> Int { 0 }
}
