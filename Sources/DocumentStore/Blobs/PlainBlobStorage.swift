import DocumentValues
import Foundation
import Synchronization

/// Blobs as plain files.
package struct PlainBlobStorageProvider: BlobStorageProvider {
    package let kind = BlobStorageKind.plain

    package init() {}

    package func open(folder: URL, hasSealedRows: Bool = false) throws -> any BlobStorage {
        let folder = BlobFolder(folder)
        try folder.removeAbandonedDrafts()
        return PlainBlobStorage(folder: folder)
    }
}

/// Each blob is a file named by the hexadecimal form of its digest.
struct PlainBlobStorage: BlobStorage {
    let folder: BlobFolder
    let kind = BlobStorageKind.plain
    var sealer: (any RowSealer)? { nil }

    private func name(_ digest: BlobDigest) -> String { Hexadecimal.encode(digest.bytes) }

    func contains(_ digest: BlobDigest) throws -> Bool { try folder.size(name(digest)) != nil }

    func length(of digest: BlobDigest) throws -> UInt64? { try folder.size(name(digest)) }

    func reader(for digest: BlobDigest) throws -> (any BlobReader)? {
        guard let file = try folder.openForReading(name(digest)) else { return nil }
        return PlainBlobReader(file, digest: digest)
    }

    func writer() throws -> any BlobWriter { PlainBlobWriter(try folder.newFile(), folder: folder, name: name) }

    func remove(_ digest: BlobDigest) throws { try folder.remove(name(digest)) }

    func removeAll(except keep: Set<BlobDigest>, untouchedSince date: Date) throws -> Int {
        try folder.removeAll(except: Set(keep.map(name)), untouchedSince: date)
    }
}

extension PlainBlobStorage: CopiedBlobs {
    func forEachBlob(_ body: (any BlobReader) throws -> Void) throws {
        try folder.forEachName { name in
            guard let bytes = Hexadecimal.decode(name), let digest = BlobDigest("sha1-" + Base64.encode(bytes)) else {
                throw StoreError(
                    .corruptData, message: "A file among the attachments is none.", context: ["file": name],
                    hint: "Move it to another folder.")
            }
            guard let reader = try reader(for: digest) else { return }
            defer { reader.close() }
            try body(reader)
        }
    }
}

private final class PlainBlobReader: BlobReader {
    let length: UInt64
    private let file: BlobFile
    private let digest: BlobDigest
    private let progress: Mutex<BlobDigestBuilder?>

    init(_ file: BlobFile, digest: BlobDigest) {
        self.file = file
        self.digest = digest
        length = file.length
        progress = Mutex(BlobDigestBuilder())
    }

    func read(upTo count: Int) throws -> [UInt8]? {
        let bytes = try file.read(upTo: count)
        return try progress.withLock { builder in
            guard bytes.isEmpty else {
                builder?.update(bytes)
                return bytes
            }
            // Only a reader that has read all of the file knows its digest, and so whether the file has the bytes of
            // its name.
            guard let found = builder?.finish(), found == digest else { throw StoreError.damagedBlob(digest) }
            return nil
        }
    }

    func close() { file.close() }
}

private final class PlainBlobWriter: BlobWriter {
    private let file: BlobFile
    private let folder: BlobFolder
    private let name: @Sendable (BlobDigest) -> String
    private let builder = Mutex(BlobDigestBuilder())

    init(_ file: BlobFile, folder: BlobFolder, name: @escaping @Sendable (BlobDigest) -> String) {
        self.file = file
        self.folder = folder
        self.name = name
    }

    func write(_ bytes: some Swift.Collection<UInt8>) throws {
        builder.withLock { $0.update(bytes) }
        try file.write(bytes)
    }

    func finish(expecting expected: BlobDigest?) throws -> BlobMetadata {
        let (digest, length) = builder.withLock { ($0.finish(), $0.length) }
        guard expected == nil || expected == digest else { throw StoreError.wrongBlob(digest, expected: expected) }
        try folder.install(file, as: name(digest))
        return BlobMetadata(digest: digest, length: length)
    }

    func cancel() { file.discard() }
}

extension StoreError {
    package static func damagedBlob(_ digest: BlobDigest) -> StoreError {
        StoreError(
            .corruptData, message: "An attachment on the disk is damaged.", context: ["blob": digest.text],
            hint: "Restore it from a backup, or purge its document and replicate with reset.")
    }

    /// The file of a blob whose digest is not known.
    static func damagedBlobFile(_ name: String) -> StoreError {
        StoreError(
            .corruptData, message: "An attachment on the disk is damaged.", context: ["file": name],
            hint: "An integrity check names its document: purge that, and replicate with reset.")
    }

    package static func wrongBlob(_ digest: BlobDigest, expected: BlobDigest?) -> StoreError {
        StoreError(
            .blobMismatch, message: "The bytes of an attachment are not those that were announced.",
            context: ["blob": digest.text, "expected": expected?.text ?? "-"],
            hint: "It was damaged on its way or in its source; send it again.")
    }
}
