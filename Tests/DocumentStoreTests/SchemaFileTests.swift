import DatabaseMigrations
import DocumentValues
import Foundation
import GRDB
import Testing

@testable import DocumentStore

/// Files of each schema that there was, with all that they may have: documents, a deletion, a refused push, a conflict, an
/// entry of the quarantine, and from the third on indexes of each kind.
@Suite struct SchemaFileTests {
    private static let numbers = DatabaseMigrations.store.map(\.number)
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private var file: URL { folder.databaseFolder().appendingPathComponent("database.sqlite3") }

    /// Puts the file of a schema where a database is.
    private func copy(schema number: Int) throws {
        let fixtures = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        try FileManager.default.createDirectory(at: folder.databaseFolder(), withIntermediateDirectories: true)
        try Data(contentsOf: fixtures.appendingPathComponent("schema-\(number).sqlite3")).write(to: file)
    }

    private func migrations() throws -> [String] {
        let queue = try DatabaseQueue(path: file.path)
        let names = try queue.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY 1") }
        try queue.close()
        return names
    }

    @Test(arguments: numbers) func everySchemaIsOpenedWithAllThatItHas(number: Int) throws {
        try copy(schema: number)
        let database = try folder.open()
        let visits = try #require(try database.collection(name: "visits", scope: "field"))
        #expect(try visits.documentIDs() == ["a", "b"] && visits.count == 2)
        #expect(try visits.deletedIDs() == ["gone"])
        #expect(visits["a"]["score"].int == 3 && visits["a"]["tags"][1].string == "cold")
        #expect(try database.defaultCollection().documentIDs() == ["x"])
        let push = try #require(try database.rejectedPushes().first)
        #expect(push.documentID == "b" && push.code == 403 && push.number == 1 && push.firstDate > 1_600_000_000)
        #expect(try database.quarantinedDocuments().map(\.documentID) == ["lost"])
        #expect(try database.summary().conflicts == 1)
        try database.performMaintenance(type: .integrityCheck)
        // It goes on as any other does.
        try visits.put("c", ["score": 7, "tags": ["wet"]])
        try database.close()
        #expect(try migrations() == DatabaseMigrations.store.map(\.name))
        let again = try folder.open()
        #expect(try again.collection(name: "visits", scope: "field")?.count == 3)
        try again.close()
    }

    @Test(arguments: numbers.filter { $0 >= 3 }) func indexesAreUsedAsBefore(number: Int) throws {
        try copy(schema: number)
        let database = try folder.open()
        let visits = try #require(try database.collection(name: "visits", scope: "field"))
        #expect(try visits.indexes() == ["high", "scores", "tags", "texts"])
        let queries: [(text: String, index: String?)] = [
            ("SELECT META().id FROM field.visits WHERE score = 3", "scores"),
            ("SELECT META(v).id FROM field.visits AS v UNNEST v.tags AS t WHERE t = 'wet'", "tags"),
            ("SELECT META().id FROM field.visits WHERE MATCH(texts, 'leaks')", nil),
        ]
        for (text, index) in queries {
            let query = try database.createQuery(text)
            #expect(try query.execute().allResults().map { $0.string(at: 0) } == ["a"], "\(text)")
            guard let index else { continue }
            let plan = try query.explain()
            #expect(try query.usedIndexes().containsExactly(index), "\(text): \(plan)")
        }
        // With both the planner may take either.
        try visits.deleteIndex(forName: "scores")
        let partial = try database.createQuery("SELECT META().id FROM field.visits WHERE score > 2")
        #expect(try partial.usedIndexes() == ["high"] && partial.execute().allResults().count == 1)
        try database.close()
    }

    /// Killed or out of room in the middle, it is what it was.
    @Test func aMigrationThatFailsLeavesTheFileAsItWas() throws {
        try copy(schema: 1)
        let queue = try DatabaseQueue(path: file.path)
        // What the third step makes.
        try queue.write { try $0.execute(sql: "CREATE TABLE indexes (number INTEGER)") }
        try queue.close()
        #expect(throws: StoreError.self) { try folder.open() }
        #expect(try migrations() == [DatabaseMigrations.store[0].name])
        let later = try DatabaseQueue(path: file.path)
        let columns = try later.read { try $0.columns(in: "outbox").map(\.name) }
        #expect(!columns.contains("number"))
        try later.write { try $0.execute(sql: "DROP TABLE indexes") }
        try later.close()
        #expect(try folder.open().collection(name: "visits", scope: "field")?.count == 2)
    }

    @Test func aFileOfANewerSchemaIsLeftAsItIs() throws {
        try copy(schema: DatabaseMigrations.store.count)
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('store-9999-later')") }
        try queue.close()
        let error = #expect(throws: StoreError.self) { try folder.open() }
        #expect(error?.code == .databaseTooNew && error?.hint == "Update this program.")
        #expect(try migrations().last == "store-9999-later")
    }
}
