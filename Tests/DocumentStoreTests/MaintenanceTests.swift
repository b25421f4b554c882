import DocumentValues
import Foundation
import GRDB
import Testing

@testable import DocumentStore

/// What maintenance reports about a database.
@Suite struct MaintenanceTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private var file: String { folder.databaseFolder().appendingPathComponent("database.sqlite3").path }

    /// A database that is closed, with documents of the collection `field.sites`.
    private func make(_ fill: (DocumentStore.Collection) throws -> Void) throws {
        let database = try folder.open()
        try fill(try database.createCollection(name: "sites", scope: "field"))
        try database.close()
    }

    /// Changes the file as a failing disk may, in the table of `field.sites`.
    private func damage(_ change: (_ table: String) -> String) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.write { db in
            let id = try #require(try Int64.fetchOne(db, sql: "SELECT id FROM collections WHERE name = 'sites'"))
            try db.execute(sql: change("documents_\(id)"))
        }
        try queue.close()
    }

    private func problems() throws -> [String] {
        let database = try folder.open()
        var problems: [String] = []
        try database.check { problems.append($0.text) }
        return problems
    }

    // MARK: Damage

    @Test(arguments: [
        ("body = '{\"n\":'", "has a body that cannot be read"), ("history = 'x'", "has a history that cannot be read"),
        ("revision = 'x'", "has a revision that cannot be read"),
        ("sequence = -77", "has an impossible sequence"),
    ])
    func eachDamagedDocumentIsNamed(change: String, problem: String) throws {
        try make { for id in ["a", "b", "c"] { try $0.put(id, ["n": 1]) } }
        try damage { "UPDATE \($0) SET \(change) WHERE id = 'b'" }
        let found = try problems()
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("the document b of field.sites \(problem)") == true, "\(found)")
    }

    @Test func allDocumentsThatAreDamagedAreNamed() throws {
        try make { sites in
            try sites.database.inBatch { for number in 0..<20 { try sites.put("d\(number)", [:]) } }
        }
        try damage { "UPDATE \($0) SET body = ''" }
        #expect(try problems().count == 20)
        let database = try folder.open()
        let error = #expect(throws: StoreError.self) { try database.performMaintenance(type: .integrityCheck) }
        #expect(error?.context["problems"] == "20" && error?.code == .corruptData)
        #expect(error?.message.components(separatedBy: "; ").count == StoreLimits.shownProblems)
    }

    @Test func aCountThatIsWrongIsFound() throws {
        try make { try $0.put("a", [:]) }
        try damage { "UPDATE \($0) SET live_documents = 7" }
        #expect(try problems() == ["field.sites has 1 documents but counts 7"])
    }

    @Test func theDocumentsOfABlobAreNamed() throws {
        let blob = Blob(contentType: "x", data: Data([1, 2, 3]))
        try make { sites in
            for id in ["a", "b"] { try sites.save(document: MutableDocument(id: id).setBlob(blob, forKey: "photo")) }
        }
        let digest = try #require(blob.digest)
        let stored = try #require(folder.blobFiles.first)
        try Data([9, 2, 3]).write(to: stored)
        #expect(
            try problems() == ["a", "b"].map { "the blob \(digest) of the document \($0) of field.sites is damaged" })
        try FileManager.default.removeItem(at: stored)
        #expect(
            try problems() == ["a", "b"].map { "the blob \(digest) of the document \($0) of field.sites is missing" })
    }

    @Test func aWholeDatabaseHasNoProblem() throws {
        try make { sites in
            try sites.put("a", ["n": 1])
            try sites.delete(document: try sites.put("b", [:]))
            try sites.save(
                document: MutableDocument(id: "c").setBlob(Blob(contentType: "x", data: Data([1])), forKey: "photo"))
        }
        #expect(try problems().isEmpty)
    }

    /// What lies in tables of its own is no index to SQLite.
    @Test func damagedIndexesAreFoundAndBuiltAgain() throws {
        let database = try folder.open()
        let sites = try database.createCollection(name: "sites", scope: "field")
        try sites.put("a", ["tags": ["wet"], "text": "leaking"])
        try sites.createIndex(withName: "tags", config: ArrayIndexConfiguration(path: "tags"))
        try sites.createIndex(withName: "texts", config: FullTextIndexConfiguration(["text"]))
        let queries = [
            "SELECT META(s).id FROM field.sites AS s UNNEST s.tags AS tag WHERE tag = 'wet'",
            "SELECT META().id FROM field.sites WHERE MATCH(texts, 'leaking')",
        ]
        func counts() throws -> [Int] {
            try queries.map { try database.createQuery($0).execute().allResults().count }
        }
        #expect(try counts() == [1, 1])
        try database.core().write { transaction in
            let collection = try #require(try CollectionCatalog.find(sites.collectionName, transaction.db))
            for index in try IndexCatalog.all(of: collection.id, transaction.db) {
                let table = index.table
                // Of FTS5 all but the structure.
                try transaction.db.execute(
                    sql: "DELETE FROM \(table)" + (index.name == "tags" ? "" : "_data WHERE id > 10"))
            }
        }
        // A newer SQLite looks into FTS5 as well.
        let found = try problems().filter { $0.hasPrefix("the index ") }
        #expect(found == ["tags", "texts"].map { "the index \($0) of field.sites is damaged" })
        let error = #expect(throws: StoreError.self) { try database.performMaintenance(type: .integrityCheck) }
        #expect(error?.code == .corruptData && error?.hint == "The documents are whole: reindex.")
        try database.performMaintenance(type: .reindex)
        try database.performMaintenance(type: .integrityCheck)
        #expect(try counts() == [1, 1])
        try sites.purge(id: "a")
        #expect(try counts() == [0, 0])
    }

    // MARK: What there is

    @Test func theSummaryCountsWhatThereIs() throws {
        let database = try folder.open()
        let sites = try database.createCollection(name: "sites", scope: "field")
        for id in ["a", "b", "c"] { try sites.put(id, ["n": 1]) }
        try sites.delete(document: try #require(try sites.document(id: "b")))
        try sites.createIndex(withName: "numbers", config: ValueIndexConfiguration(["n"]))
        let summary = try database.summary()
        #expect(summary.collections.map(\.name.description) == ["_default._default", "field.sites"])
        let collection = try #require(summary.collections.last)
        #expect(collection.documents == 2 && collection.deleted == 1 && collection.sequence == 4)
        #expect(collection.indexes == ["numbers"])
        #expect(summary.outbox == 0 && summary.conflicts == 0 && summary.quarantine == 0 && summary.schema > 0)
    }

    @Test func conflictsAreCounted() throws {
        let fixture = try ReplicationFixture()
        try fixture.collection.put("a", ["n": 1])
        #expect(try fixture.pull("a", "1-ff").name == "conflict")
        #expect(try fixture.database.summary().conflicts == 1)
    }

    @Test func compactingFreesWhatTheUseSays() throws {
        let database = try folder.open()
        let sites = try database.createCollection(name: "sites", scope: "field")
        try database.inBatch {
            for number in 0..<500 { try sites.put("d\(number)", ["text": String(repeating: "x", count: 1_000)]) }
        }
        let blob = Blob(contentType: "x", data: Data(repeating: 7, count: 5_000))
        try sites.save(document: MutableDocument(id: "photo").setBlob(blob, forKey: "photo"))
        let full = try database.diskUse()
        #expect(full.blobCount == 1 && full.blobs == 5_000 && full.database + full.log > 500_000)
        try database.inBatch { for number in 0..<500 { try sites.purge(id: "d\(number)") } }
        let purged = try database.diskUse()
        #expect(purged.unused > 400_000 && purged.unused < purged.database)
        try database.performMaintenance(type: .compact)
        let compacted = try database.diskUse()
        #expect(compacted.unused == 0 && compacted.log == 0 && compacted.blobCount == 1)
        #expect(compacted.total + 400_000 < purged.total)
    }
}
