import DocumentStore
import DocumentValues
import Foundation
import Testing

/// Which blobs compacting keeps: those of the document, of what its edits started from, and of its conflict.
@Suite struct CompactedBlobTests {
    private let fixture: ReplicationFixture
    private static let photo = Data("a photo".utf8)

    init() throws {
        fixture = try ReplicationFixture()
        let document = MutableDocument(id: "a").setBlob(Blob(contentType: "x", data: Self.photo), forKey: "photo")
        try fixture.collection.save(document: document)
        try fixture.acknowledge(document)
    }

    private var files: [URL] { fixture.folder.blobFiles }

    private var photo: Data? {
        get throws { try fixture.collection.document(id: "a")?.blob(forKey: "photo")?.content }
    }

    /// As long after the last change as it takes for a blob to be removed.
    private func compactLater() throws {
        for file in files {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7_200)], ofItemAtPath: file.path)
        }
        try fixture.database.performMaintenance(type: .compact)
    }

    @Test func whatIsRevertedHasItsBlob() throws {
        try fixture.collection.put("a", ["n": 1])
        try compactLater()
        #expect(files.count == 1)
        _ = try fixture.collection.revert(id: "a")
        #expect(try photo == Self.photo)
        try fixture.database.performMaintenance(type: .integrityCheck)
    }

    @Test func nothingIsKeptForARevertThatCannotBe() throws {
        try fixture.collection.put("a", ["n": 1])
        try fixture.acknowledge(try #require(try fixture.collection.document(id: "a")))
        try compactLater()
        #expect(files.isEmpty)
    }

    @Test(arguments: [ConflictResolution.local, .remote]) func aConflictKeepsItsBlobs(resolution: ConflictResolution)
        throws
    {
        let body = try #require(try fixture.json())
        let first = try #require(try fixture.revision()?.revision.description)
        try fixture.collection.put("a", ["n": 1])
        #expect(try fixture.pull("a", "2-ff", history: first, body).name == "conflict")
        try compactLater()
        #expect(files.count == 1)
        let conflict = try #require(try fixture.store.conflict(of: "a", in: .default))
        #expect(try fixture.store.resolve(conflict, in: .default, with: resolution))
        let current = try #require(try fixture.collection.document(id: "a"))
        if case .local = resolution { try fixture.acknowledge(current) }
        try compactLater()
        switch resolution {
        case .remote: #expect(try photo == Self.photo)
        default: #expect(files.isEmpty, "nobody refers to it any more")
        }
    }
}
