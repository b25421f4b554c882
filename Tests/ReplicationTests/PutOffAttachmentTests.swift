import DocumentStore
import DocumentValues
import Foundation
import Testing

@testable import Replication

/// Documents that are pulled without their attachments, which come later.
@Suite struct PutOffAttachmentTests {
    private let content = Data("a photo".utf8)

    private func configuration(
        _ from: Laptop, _ to: Laptop, _ type: ReplicatorType = .pushAndPull,
        _ change: (inout CollectionConfiguration) -> Void
    ) -> ReplicatorConfiguration {
        var part = CollectionConfiguration(collection: from.collection)
        change(&part)
        var configuration = ReplicatorConfiguration(
            collections: [part], target: DatabaseEndpoint(database: to.database))
        configuration.replicatorType = type
        return configuration
    }

    private func put(_ id: String, in laptop: Laptop) throws {
        let document = MutableDocument(id: id, data: ["n": 1])
        document.setBlob(Blob(contentType: "image/png", data: content + Data(id.utf8)), forKey: "photo")
        try laptop.collection.save(document: document)
    }

    private func photo(of id: String, in laptop: Laptop) throws -> Data? {
        try laptop.collection.document(id: id)?.blob(forKey: "photo")?.content
    }

    @Test(.timeLimit(.minutes(1))) func documentsComeWithoutTheirAttachments() async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        for id in ["a", "b", "c"] { try put(id, in: theirs) }
        try await sync(configuration(ours, theirs) { $0.attachmentPull = .later })
        #expect(ours.collection.count == 3)
        let lacking = try ours.collection.documentsLackingBlobs()
        #expect(lacking.map(\.documentID).sorted() == ["a", "b", "c"])
        #expect(lacking.allSatisfy { $0.blobs.map(\.length) == [UInt64(content.count + 1)] })
        #expect(lacking.map(\.sequence) == lacking.map(\.sequence).sorted(by: >), "the newest change is the first")
        let next = try ours.collection.documentsLackingBlobs(before: lacking[0].sequence, limit: 1)
        #expect(next == [lacking[1]])
        // They are here: a pull of everything does not bring them again.
        let again = Replicator(config: configuration(ours, theirs) { $0.attachmentPull = .later })
        try await again.run(reset: true)
        #expect(try ours.collection.documentsLackingBlobs().count == 3)
    }

    /// Its attachment stays at the gateway, which has it.
    @Test(.timeLimit(.minutes(1))) func anEditWithoutTheAttachmentLosesNothing() async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        try put("a", in: theirs)
        try await sync(configuration(ours, theirs) { $0.attachmentPull = .later })
        let edited = try #require(try ours.collection.document(id: "a")?.toMutable())
        edited.setInt(2, forKey: "n")
        try ours.collection.save(document: edited)
        let log = try await sync(configuration(ours, theirs) { $0.attachmentPull = .later })
        #expect(log.documents.allSatisfy { $0.document.error == nil })
        #expect(try theirs.collection.document(id: "a")?.int(forKey: "n") == 2)
        #expect(try photo(of: "a", in: theirs) == content + Data("a".utf8))
    }

    @Test(.timeLimit(.minutes(1))) func missingAttachmentsAreFetchedByName() async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        for id in ["a", "b"] { try put(id, in: theirs) }
        try await sync(configuration(ours, theirs) { $0.attachmentPull = .later })
        // The second time as after a loss: the checkpoint of the first must not hide it.
        for _ in 1...2 {
            let fetch = configuration(ours, theirs, .pull) { part in
                part.attachmentPull = .missingOnly
                part.documentIDs = ["b"]
            }
            try await Replicator(config: fetch).run(reset: true)
            #expect(try photo(of: "b", in: ours) == content + Data("b".utf8))
            #expect(try ours.collection.documentsLackingBlobs().map(\.documentID) == ["a"])
            let digest = try #require(try theirs.collection.document(id: "b")?.blob(forKey: "photo")?.blobDigest)
            try ours.database.blobStorage().remove(digest)
            #expect(try ours.collection.documentsLackingBlobs().count == 2)
        }
    }

    @Test(.timeLimit(.minutes(1))) func withoutASettingNoDocumentLacksItsAttachments() async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        try put("a", in: theirs)
        try await sync(configuration(ours, theirs) { _ in })
        #expect(try ours.collection.documentsLackingBlobs().isEmpty)
        #expect(try photo(of: "a", in: ours) == content + Data("a".utf8))
    }
}
