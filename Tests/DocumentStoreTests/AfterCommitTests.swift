import DocumentStore
import DocumentValues
import Foundation
import Testing

/// What a commit leaves to be done, and what a caller learns when that fails.
@Suite struct AfterCommitTests {
    /// Blobs in plain files of which none can be removed, as on a disk that copies on write and is full.
    private struct Kept: BlobStorageProvider, BlobStorage {
        var blobs: (any BlobStorage)?

        struct Failure: Error {}

        private var present: any BlobStorage {
            get throws { try #require(blobs) }
        }

        var kind: BlobStorageKind { .plain }
        var sealer: (any RowSealer)? { nil }

        func open(folder: URL, hasSealedRows: Bool) throws -> any BlobStorage {
            Kept(blobs: try PlainBlobStorageProvider().open(folder: folder))
        }

        func contains(_ digest: BlobDigest) throws -> Bool { try present.contains(digest) }
        func length(of digest: BlobDigest) throws -> UInt64? { try present.length(of: digest) }
        func reader(for digest: BlobDigest) throws -> (any BlobReader)? { try present.reader(for: digest) }
        func writer() throws -> any BlobWriter { try present.writer() }
        func remove(_ digest: BlobDigest) throws { throw Failure() }
        func removeAll(except keep: Set<BlobDigest>, untouchedSince date: Date) throws -> Int {
            try present.removeAll(except: keep, untouchedSince: date)
        }
    }

    /// The document is saved without its photo, whether the photo's file could be removed or not.
    @Test func whatIsStoredIsNoFailure() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kept-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = DatabaseConfiguration()
        configuration.directory = folder.path
        configuration.blobStorage = Kept()
        let database = try Database(name: "kept", config: configuration)
        let collection = try database.defaultCollection()
        let document = MutableDocument(id: "a")
        document.setBlob(Blob(contentType: "text/plain", data: Data("photo".utf8)), forKey: "photo")
        try collection.save(document: document)
        document.removeValue(forKey: "photo")
        try collection.save(document: document)
        #expect(try collection.document(id: "a")?.blob(forKey: "photo") == nil)
        try collection.purge(id: "a")
        #expect(try collection.document(id: "a") == nil)
        try database.close()
    }
}
