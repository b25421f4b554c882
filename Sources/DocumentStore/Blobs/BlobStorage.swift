import DocumentValues
import Foundation

/// Where the bytes of a database's blobs are: plain files, or a vault that seals them. Callers know them by digest.
///
/// Everything here may be called from any thread. A blob is either whole or not there at all, after a crash too.
package protocol BlobStorage: Sendable {
    /// The name by which the folder remembers how its blobs are kept.
    var kind: BlobStorageKind { get }

    /// Seals rows that must not be readable in the database file, such as quarantined documents; `nil` where rows are
    /// plain.
    var sealer: (any RowSealer)? { get }

    /// Whether the calls below have the key that they need. Where they have none, they throw.
    var access: BlobAccess { get }

    func contains(_ digest: BlobDigest) throws -> Bool

    /// The number of plain bytes; `nil` if the blob is not there.
    func length(of digest: BlobDigest) throws -> UInt64?

    /// `nil` if the blob is not there.
    func reader(for digest: BlobDigest) throws -> (any BlobReader)?

    /// A sink for a new blob; nothing is visible before its `finish`.
    func writer() throws -> any BlobWriter

    /// Makes the blob unreadable, then removes it; nothing happens if it is not there.
    func remove(_ digest: BlobDigest) throws

    /// Removes every blob that is not in `keep` and has not been touched since `date`, and the drafts of crashed
    /// processes; returns how many blobs were removed.
    func removeAll(except keep: Set<BlobDigest>, untouchedSince date: Date) throws -> Int
}

/// How a folder's blobs are kept; stored in the folder.
package enum BlobStorageKind: String, Sendable, Hashable {
    case plain
    /// Sealed, with a key in files beside them.
    case vault
    /// Sealed, with a key in the database, which is encrypted.
    case database
}

/// Makes the storage for a database folder when it is opened.
package protocol BlobStorageProvider: Sendable {
    var kind: BlobStorageKind { get }

    /// - Parameters:
    ///   - folder: the `attachments` folder, which may not exist yet.
    ///   - hasSealedRows: the database has rows that the storage's `sealer` has sealed.
    func open(folder: URL, hasSealedRows: Bool) throws -> any BlobStorage
}

/// Reads a blob from its beginning to its end.
package protocol BlobReader: AnyObject, Sendable {
    /// Plain bytes in all.
    var length: UInt64 { get }

    /// The next bytes, at most `count`; `nil` at the end, which is only reported once the whole blob proved intact.
    func read(upTo count: Int) throws -> [UInt8]?

    func close()
}

/// Takes the bytes of a new blob piece by piece, in bounded memory. Used by one thread at a time.
package protocol BlobWriter: AnyObject, Sendable {
    func write(_ bytes: some Swift.Collection<UInt8>) throws

    /// Makes the blob durable and visible. Where `expected` is another digest, nothing is stored and the error is
    /// `.blobMismatch`.
    func finish(expecting expected: BlobDigest?) throws -> BlobMetadata

    /// Drops the written bytes; does nothing after `finish`.
    func cancel()
}

/// Seals single rows of a database.
package protocol RowSealer: Sendable {
    /// - Parameter context: must be the same when the row is opened.
    func seal(_ plain: [UInt8], context: String) throws -> [UInt8]
    func open(_ sealed: [UInt8], context: String) throws -> [UInt8]
}

extension BlobStorage {
    /// The whole blob, for small ones.
    package func read(_ digest: BlobDigest) throws -> [UInt8]? {
        guard let reader = try reader(for: digest) else { return nil }
        defer { reader.close() }
        var content: [UInt8] = []
        while let bytes = try reader.read(upTo: StoreLimits.blobPortion) { content += bytes }
        return content
    }

    /// Whether the blob is there in the length that its document names. Damage that keeps the length is found only when
    /// the blob is read.
    package func isWhole(_ blob: BlobMetadata) throws -> Bool {
        guard let length = try length(of: blob.digest) else { return false }
        return blob.length.map { $0 == length } ?? true
    }

    package func store(_ content: [UInt8], expecting expected: BlobDigest? = nil) throws -> BlobMetadata {
        let writer = try writer()
        defer { writer.cancel() }
        try writer.write(content)
        return try writer.finish(expecting: expected)
    }
}
