import DocumentStore
import DocumentValues
import Foundation

/// The blobs of a vault whose key is computed when the first of them is needed.
struct DeferredBlobStorage: BlobStorage {
    let kind = BlobStorageKind.vault
    private let vault: DeferredVault

    init(_ vault: DeferredVault) { self.vault = vault }

    var sealer: (any RowSealer)? { DeferredRowSealer(vault: vault) }

    var access: BlobAccess { vault.access }

    func opened() throws -> SealedBlobStorage { try vault.opened() }

    func contains(_ digest: BlobDigest) throws -> Bool { try opened().contains(digest) }

    func length(of digest: BlobDigest) throws -> UInt64? { try opened().length(of: digest) }

    func reader(for digest: BlobDigest) throws -> (any BlobReader)? { try opened().reader(for: digest) }

    func writer() throws -> any BlobWriter { try opened().writer() }

    func remove(_ digest: BlobDigest) throws { try opened().remove(digest) }

    func removeAll(except keep: Set<BlobDigest>, untouchedSince date: Date) throws -> Int {
        try opened().removeAll(except: keep, untouchedSince: date)
    }
}

/// Seals rows with the key of such a vault.
private struct DeferredRowSealer: RowSealer {
    let vault: DeferredVault

    func seal(_ plain: [UInt8], context: String) throws -> [UInt8] { try sealer().seal(plain, context: context) }

    func open(_ sealed: [UInt8], context: String) throws -> [UInt8] { try sealer().open(sealed, context: context) }

    private func sealer() throws -> any RowSealer {
        guard let sealer = try vault.opened().sealer else { preconditionFailure("a vault seals rows") }
        return sealer
    }
}
