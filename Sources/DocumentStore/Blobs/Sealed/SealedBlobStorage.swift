import DocumentValues
import Foundation
import SodiumCrypto

/// Blobs as sealed files whose names do not reveal their content.
package struct SealedBlobStorage: BlobStorage {
    package let kind: BlobStorageKind
    /// From which those of the single blobs are made.
    package let databaseKey: SecretKey
    package var url: URL { folder.url }
    private let folder: BlobFolder
    private let keys: KeyRing

    /// - Parameters:
    ///   - folder: the `attachments` folder, which may not exist yet.
    ///   - kind: where the database key is kept.
    package init(folder: URL, databaseKey: SecretKey, kind: BlobStorageKind) {
        self.folder = BlobFolder(folder)
        self.databaseKey = databaseKey
        self.kind = kind
        keys = KeyRing(databaseKey)
    }

    package var sealer: (any RowSealer)? {
        switch kind {
        case .vault: KeyedRowSealer(key: keys.rows)
        // All rows of an encrypted database are sealed with it.
        case .database, .plain: nil
        }
    }

    package func contains(_ digest: BlobDigest) throws -> Bool { try folder.size(keys.name(of: digest)) != nil }

    package func length(of digest: BlobDigest) throws -> UInt64? {
        try folder.size(keys.name(of: digest)).flatMap(SealedFormat.plainLength)
    }

    package func reader(for digest: BlobDigest) throws -> (any BlobReader)? {
        let name = keys.name(of: digest)
        guard let file = try folder.openForReading(name) else { return nil }
        return try SealedBlobReader(file, name: name, keys: keys, damage: .damagedBlob(digest))
    }

    package func writer() throws -> any BlobWriter { try SealedBlobWriter(folder: folder, keys: keys) }

    package func remove(_ digest: BlobDigest) throws {
        try folder.remove(keys.name(of: digest), destroying: SealedFormat.prefixLength)
    }

    package func removeAll(except keep: Set<BlobDigest>, untouchedSince date: Date) throws -> Int {
        try folder.removeAll(
            except: Set(keep.map(keys.name)), untouchedSince: date, destroying: SealedFormat.prefixLength)
    }
}

extension SealedBlobStorage: CopiedBlobs {
    func forEachBlob(_ body: (any BlobReader) throws -> Void) throws {
        try folder.forEachName { name in
            guard try !isDestroyed(name), let file = try folder.openForReading(name) else { return }
            let reader = try SealedBlobReader(file, name: name, keys: keys, damage: .damagedBlobFile(name))
            defer { reader.close() }
            try body(reader)
        }
    }

    /// A blob that was to be removed when the process ended has no key any more.
    private func isDestroyed(_ name: String) throws -> Bool {
        guard let file = try folder.openForReading(name) else { return true }
        defer { file.close() }
        return try file.read(upTo: SealedFormat.prefixLength).allSatisfy { $0 == 0 }
    }
}
