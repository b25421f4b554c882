import DocumentValues
import Foundation
import Testing

@testable import DocumentStore

/// When a document goes: for each by itself, and across everything that happens to it before.
@Suite struct DocumentExpirationTests {
    private let folder: TestFolder
    private let database: Database
    private let notes: DocumentStore.Collection
    private let later = Date(timeIntervalSince1970: 4_000_000_000)
    private let past = Date(timeIntervalSince1970: 1_000_000_000)

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        notes = try database.defaultCollection()
    }

    /// Sets a time in the past without a purge in between, then purges.
    private func expire(_ ids: [String], in collection: DocumentStore.Collection) throws {
        try database.inBatch {
            for id in ids { try collection.setDocumentExpiration(id: id, expiration: past) }
        }
        _ = try database.core().purgeExpired()
    }

    @Test func eachCollectionHasItsOwn() throws {
        let other = try database.createCollection(name: "other")
        for collection in [notes, other] { for id in ["a", "b"] { try collection.put(id, [:]) } }
        try notes.setDocumentExpiration(id: "a", expiration: later)
        #expect(try notes.getDocumentExpiration(id: "a") == later)
        #expect(try other.getDocumentExpiration(id: "a") == nil && notes.getDocumentExpiration(id: "b") == nil)
        try expire(["a", "b"], in: other)
        #expect(other.count == 0 && notes.count == 2)
        #expect(try notes.getDocumentExpiration(id: "a") == later)
    }

    @Test func itStaysAcrossReopening() throws {
        try notes.put("a", [:])
        let exact = Date(timeIntervalSince1970: 4_000_000_000.125)
        try notes.setDocumentExpiration(id: "a", expiration: exact)
        try database.close()
        let again = try folder.open().defaultCollection()
        #expect(try again.getDocumentExpiration(id: "a") == exact)
        try again.setDocumentExpiration(id: "a", expiration: nil)
        try again.database.close()
        #expect(try folder.open().defaultCollection().getDocumentExpiration(id: "a") == nil)
    }

    @Test func editsKeepItAndDeletionsEndIt() throws {
        let document = try notes.put("a", ["n": 1])
        let revision = document.revisionID
        try notes.setDocumentExpiration(id: "a", expiration: later)
        #expect(try notes.document(id: "a")?.revisionID == revision, "it is no edit")
        try notes.put("a", ["n": 2])
        try notes.save(bodies: [(id: "a", body: Array(#"{"n":3}"#.utf8))])
        #expect(try notes.getDocumentExpiration(id: "a") == later)
        try notes.delete(document: try #require(try notes.document(id: "a")))
        #expect(try notes.getDocumentExpiration(id: "a") == nil)
    }

    @Test func aBatchThatIsTakenBackSetsNone() throws {
        struct Slip: Error {}
        try notes.put("a", [:])
        #expect(throws: Slip.self) {
            try database.inBatch {
                try notes.setDocumentExpiration(id: "a", expiration: past)
                #expect(try notes.document(id: "a") == nil)
                throw Slip()
            }
        }
        #expect(try notes.document(id: "a") != nil && notes.getDocumentExpiration(id: "a") == nil)
    }

    /// Before it is purged it is as good as gone.
    @Test func whatHasExpiredIsNowhere() throws {
        try notes.put("a", ["n": 1])
        try notes.put("b", ["n": 1])
        try notes.createIndex(withName: "numbers", config: ValueIndexConfiguration(["n"]))
        try database.inBatch {
            try notes.setDocumentExpiration(id: "a", expiration: past)
            #expect(try notes.document(id: "a") == nil && notes.documentIDs() == ["b"])
            #expect(!notes["a"].exists)
            #expect(try notes.getDocumentExpiration(id: "a") == nil)
            for text in ["SELECT META().id FROM _", "SELECT META().id FROM _ WHERE n = 1"] {
                #expect(try database.createQuery(text).execute().allResults().map { $0.string(at: 0) } == ["b"])
            }
            #expect(
                performing: { try notes.setDocumentExpiration(id: "a", expiration: later) }, throws: isCode(.notFound))
            try notes.purge(id: "a")
            #expect(try notes.revisionHistory(id: "a").isEmpty, "it can be purged sooner")
        }
    }

    @Test func aPurgeTakesItsBlobs() throws {
        for id in ["a", "b"] { try notes.put(id, ["photo": Blob(contentType: "x", data: Data("photo of \(id)".utf8))]) }
        #expect(folder.blobFiles.count == 2)
        try expire(["a"], in: notes)
        // The database's own timer may have been first, and removes the file after its commit.
        let limit = Date().addingTimeInterval(20)
        while folder.blobFiles.count > 1, Date() < limit { usleep(2_000) }
        #expect(folder.blobFiles.count == 1 && notes.count == 1)
        #expect(try notes.document(id: "b")?.blob(forKey: "photo")?.content == Data("photo of b".utf8))
    }

    /// The next one of all collections, so that no search is needed.
    @Test func theNextTimeIsTheEarliest() throws {
        let other = try database.createCollection(name: "other")
        for id in ["a", "b"] { for collection in [notes, other] { try collection.put(id, [:]) } }
        #expect(try database.core().purgeExpired() == nil)
        try notes.setDocumentExpiration(id: "a", expiration: later.addingTimeInterval(20))
        try other.setDocumentExpiration(id: "a", expiration: later.addingTimeInterval(10))
        try other.setDocumentExpiration(id: "b", expiration: later)
        #expect(try database.core().purgeExpired() == later.timeIntervalSince1970)
        try other.setDocumentExpiration(id: "b", expiration: nil)
        #expect(try database.core().purgeExpired() == later.timeIntervalSince1970 + 10)
        try database.deleteCollection(name: "other")
        #expect(try database.core().purgeExpired() == later.timeIntervalSince1970 + 20)
        try notes.purge(id: "a")
        #expect(try database.core().purgeExpired() == nil)
    }

    @Test(arguments: [-1e300, -1, 0, 0.5]) func aTimeLongAgoIsOneThatHasCome(seconds: Double) throws {
        try notes.put("a", [:])
        try database.inBatch {
            try notes.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSince1970: seconds))
            #expect(try notes.document(id: "a") == nil)
        }
        _ = try database.core().purgeExpired()
        #expect(try notes.revisionHistory(id: "a").isEmpty)
    }

    @Test func whereItCannotBeSetItIsAnError() throws {
        try notes.put("a", [:])
        for date in [Double.nan, .infinity, -.infinity] {
            let error = #expect(throws: StoreError.self) {
                try notes.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSince1970: date))
            }
            #expect(
                error?.code == .invalidParameter && error?.context["document"] == "a"
                    && error?.hint == "Use nil to keep it.")
        }
        let missing = #expect(throws: StoreError.self) {
            try notes.setDocumentExpiration(id: "none", expiration: later)
        }
        #expect(missing?.code == .notFound && missing?.context["document"] == "none")
        #expect(try notes.getDocumentExpiration(id: "none") == nil)
        try database.close()
        #expect(performing: { try notes.setDocumentExpiration(id: "a", expiration: later) }, throws: isCode(.notOpen))
        #expect(performing: { try notes.getDocumentExpiration(id: "a") }, throws: isCode(.notOpen))
    }
}
