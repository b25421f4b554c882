import DocumentStore
import DocumentValues
import Foundation
import Testing

@Suite struct DatabaseTests {
    let folder: TestFolder
    let database: Database

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
    }

    // MARK: Scopes and collections

    @Test func theDefaultCollectionIsThereFromTheStart() throws {
        let collection = try database.defaultCollection()
        #expect(collection.name == "_default" && collection.scope.name == "_default")
        #expect(collection.fullName == "_default._default")
        #expect(try database.defaultScope().collections() == [collection])
        #expect(try database.scopes().map(\.name) == ["_default"])
        #expect(performing: { try database.deleteCollection(name: "_default") }, throws: isCode(.invalidParameter))
    }

    @Test func collectionsAreMadeOnceAndFoundByTheirNames() throws {
        let sites = try database.createCollection(name: "sites", scope: "field")
        #expect(try database.createCollection(name: "sites", scope: "field") == sites)
        #expect(try database.collection(name: "sites", scope: "field") == sites)
        #expect(try database.collection(name: "sites") == nil)
        #expect(try database.scope(name: "field")?.collection(name: "sites") == sites)
        #expect(try database.scope(name: "none") == nil)
        #expect(try database.collections(scope: "field") == [sites])
        let other = try database.createCollection(name: "Sites", scope: "field")
        try other.put("a", [:])
        #expect(sites.count == 0 && other.count == 1 && sites != other, "names differ by case")
    }

    @Test(arguments: ["", "_hidden", "%x", "a.b", "a b", String(repeating: "x", count: 252)])
    func impossibleCollectionNamesAreRefused(name: String) {
        #expect(performing: { try database.createCollection(name: name) }, throws: isCode(.invalidParameter))
        #expect(
            performing: { try database.createCollection(name: "c", scope: name) }, throws: isCode(.invalidParameter))
    }

    @Test func deletingACollectionTakesItsDocuments() throws {
        let collection = try database.createCollection(name: "c", scope: "s")
        let secret = "kept nowhere else"
        try collection.put("a", ["text": secret])
        try database.deleteCollection(name: "c", scope: "s")
        try database.deleteCollection(name: "c", scope: "s")
        #expect(try database.collection(name: "c", scope: "s") == nil && database.scope(name: "s") == nil)
        #expect(folder.files(containing: Array(secret.utf8)).isEmpty)
        #expect(try database.createCollection(name: "c", scope: "s").count == 0)
    }

    // MARK: Batches

    @Test func aBatchIsStoredAsAWholeOrNotAtAll() throws {
        let collection = try database.defaultCollection()
        try database.inBatch {
            try collection.put("a", [:])
            #expect(collection.count == 1)
            try database.inBatch { try collection.put("b", [:]) }
            #expect(collection.count == 2)
            #expect(try collection.document(id: "a") != nil, "a batch sees what it has done")
        }
        #expect(collection.count == 2)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try database.inBatch {
                try collection.put("c", [:])
                try collection.delete(document: try #require(try collection.document(id: "a")))
                try collection.purge(id: "b")
                #expect(collection.count == 1)
                throw Stop()
            }
        }
        #expect(try collection.document(id: "a") != nil && collection.document(id: "c") == nil && collection.count == 2)
    }

    @Test func aFailureInsideABatchUndoesOnlyItself() throws {
        let collection = try database.defaultCollection()
        try database.inBatch {
            try collection.put("a", [:])
            try? database.inBatch {
                try collection.put("b", [:])
                #expect(collection.count == 2)
                try collection.save(document: MutableDocument(id: "_x"))
            }
            #expect(collection.count == 1)
            try collection.put("c", [:])
        }
        #expect(try collection.document(id: "b") == nil && collection.document(id: "c") != nil)
        #expect(collection.count == 2)
        try database.performMaintenance(type: .integrityCheck)
    }

    @Test func whatCannotBeDoneInABatchSaysSo() throws {
        #expect(throws: StoreError.self) { try database.inBatch { try database.close() } }
        #expect(throws: StoreError.self) { try database.inBatch { try database.performMaintenance(type: .compact) } }
        #expect(database.path != nil)
        try database.defaultCollection().put("a", [:])
    }

    // MARK: Maintenance

    @Test(arguments: [MaintenanceType.compact, .reindex, .integrityCheck, .optimize, .fullOptimize])
    func maintenanceKeepsTheDocuments(type: MaintenanceType) throws {
        let collection = try database.createCollection(name: "c")
        try database.inBatch { for number in 0..<200 { try collection.put("d\(number)", ["n": number]) } }
        try database.inBatch { for number in 0..<50 { try collection.purge(id: "d\(number)") } }
        try database.performMaintenance(type: type)
        #expect(collection.count == 150 && collection["d199"]["n"].int == 199)
        try database.performMaintenance(type: .integrityCheck)
    }

    @Test func anIntegrityCheckFindsAMissingBlob() throws {
        let blob = Blob(contentType: "x", data: Data([1]))
        try database.defaultCollection().save(document: MutableDocument(id: "a").setBlob(blob, forKey: "b"))
        try database.performMaintenance(type: .integrityCheck)
        try database.blobStorage().remove(try #require(blob.blobDigest))
        #expect(performing: { try database.performMaintenance(type: .integrityCheck) }, throws: isCode(.corruptData))
    }

    @Test func anIntegrityCheckFindsADamagedBlob() throws {
        let blob = Blob(contentType: "x", data: Data([1, 2, 3]))
        try database.defaultCollection().save(document: MutableDocument(id: "a").setBlob(blob, forKey: "b"))
        let file = try #require(folder.blobFiles.first)
        let handle = try FileHandle(forUpdating: file)
        try handle.write(contentsOf: Data([9]))
        try handle.close()
        let error = #expect(throws: StoreError.self) { try database.performMaintenance(type: .integrityCheck) }
        #expect(error?.code == .corruptData && error?.message.contains("is damaged") == true)
        #expect(error?.message.contains("the blob ") == true, "\(String(describing: error))")
    }

    @Test func aDocumentBeyondTheLimitIsRefused() throws {
        let body = [UInt8](repeating: 0x20, count: StoreLimits.documentBody + 1)
        let pulled = PulledRevision(
            documentID: "a", revision: RevisionID("1-aa")!, history: RevisionHistory(), isDeleted: false,
            body: DocumentBody(bytes: body, blobs: [], attachments: []))
        let store = try ReplicationStore(database: database, remote: "r")
        #expect(try store.insert([pulled], in: .default).map(\.name) == ["failed \(StoreError.Code.tooLarge.rawValue)"])
    }

    @Test func documentsAreReadInPortions() throws {
        let collection = try database.defaultCollection()
        try database.inBatch { for number in 0..<1200 { try collection.put("d\(number)", ["n": number]) } }
        var sum = 0
        try collection.forEachDocument { sum += $0.int(forKey: "n") }
        #expect(sum == 1199 * 1200 / 2)
        #expect(try collection.documentIDs(after: "d998", limit: 1) == ["d999"])
        #expect(try collection.documentIDs().count == 1200)
    }

    // MARK: Older spellings

    @available(*, deprecated)
    @Test func theSpellingsOfTheFirstGenerationsStillWork() throws {
        let document = MutableDocument(id: "a", data: ["n": 1])
        try database.saveDocument(document)
        #expect(database.document(withID: "a")?.int(forKey: "n") == 1 && database.count == 1)
        #expect(database["a"]["n"].int == 1)
        #expect(try database.saveDocument(document, concurrencyControl: .failOnConflict))
        try database.setDocumentExpiration(withID: "a", expiration: Date(timeIntervalSinceNow: 100))
        #expect(database.getDocumentExpiration(withID: "a") != nil)
        database.removeChangeListener(withToken: database.addChangeListener { _ in })
        try database.deleteDocument(document)
        #expect(database.document(withID: "a") == nil)
        try database.purgeDocument(withID: "a")
        try database.compact()
    }
}
