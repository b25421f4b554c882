import DocumentValues
import Foundation

@testable import DocumentStore

/// Blobs in plain files beside rows that are sealed, as a vault seals them: with a key, and for what they are.
struct SealedStorageProvider: BlobStorageProvider {
    var key: UInt8 = 0x5A
    let kind = BlobStorageKind.vault

    func open(folder: URL, hasSealedRows: Bool) throws -> any BlobStorage {
        SealedStorage(blobs: try PlainBlobStorageProvider().open(folder: folder), key: key)
    }
}

private struct SealedStorage: BlobStorage {
    let blobs: any BlobStorage
    let key: UInt8
    let kind = BlobStorageKind.vault

    var sealer: (any RowSealer)? { KeySealer(key: key) }

    func contains(_ digest: BlobDigest) throws -> Bool { try blobs.contains(digest) }
    func length(of digest: BlobDigest) throws -> UInt64? { try blobs.length(of: digest) }
    func reader(for digest: BlobDigest) throws -> (any BlobReader)? { try blobs.reader(for: digest) }
    func writer() throws -> any BlobWriter { try blobs.writer() }
    func remove(_ digest: BlobDigest) throws { try blobs.remove(digest) }
    func removeAll(except keep: Set<BlobDigest>, untouchedSince date: Date) throws -> Int {
        try blobs.removeAll(except: keep, untouchedSince: date)
    }
}

/// No secret, but as sure to fail with another key or context.
struct KeySealer: RowSealer {
    let key: UInt8

    func seal(_ plain: [UInt8], context: String) throws -> [UInt8] {
        (Array("\(context)\n".utf8) + plain).map { $0 ^ key }
    }

    func open(_ sealed: [UInt8], context: String) throws -> [UInt8] {
        let (opened, head) = (sealed.map { $0 ^ key }, Array("\(context)\n".utf8))
        guard opened.starts(with: head) else {
            throw StoreError(.corruptData, message: "A sealed row cannot be opened.")
        }
        return Array(opened.dropFirst(head.count))
    }
}
