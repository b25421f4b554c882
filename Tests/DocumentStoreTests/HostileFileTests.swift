import Foundation
import GRDB
import Testing

@testable import DocumentStore

/// Database files that another program has changed: what it has put into them is not run.
@Suite struct HostileFileTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        let database = try folder.open()
        let notes = try database.defaultCollection()
        try notes.put("a", ["text": "valve", "tags": ["wet"]])
        try notes.createIndex(withName: "words", config: FullTextIndexConfiguration(["text"]))
        try notes.createIndex(withName: "tags", config: ArrayIndexConfiguration(path: "tags"))
        try notes.createIndex(withName: "texts", config: ValueIndexConfiguration(["text"]))
        try database.close()
    }

    /// As any program can.
    private func change(_ sql: String, arguments: StatementArguments = []) throws {
        let queue = try DatabaseQueue(path: folder.databaseFolder().appendingPathComponent("database.sqlite3").path)
        try queue.writeWithoutTransaction { db in
            for statement in sql.split(separator: "\n\n") {
                try db.execute(sql: String(statement), arguments: arguments)
            }
        }
        try queue.close()
    }

    private func refusal() throws -> StoreError {
        try #require(#expect(throws: StoreError.self) { try folder.open() })
    }

    @Test func aFileThatWeMadeIsOpened() throws {
        try change("ANALYZE")
        let database = try folder.open()
        #expect(try database.defaultCollection().indexes() == ["tags", "texts", "words"])
        try database.performMaintenance(type: .compact)
        try database.close()
        try folder.open().close()
    }

    @Test(arguments: [
        #"x" ON documents_1 (id); DROP TABLE documents_1; CREATE INDEX "y"#, "", "documents_1", "sqlite_x", "index_1",
    ])
    func aNameThatNoIndexCanHaveIsRefused(name: String) throws {
        try change("UPDATE indexes SET name = ? WHERE name = 'texts'", arguments: [name])
        let error = try refusal()
        #expect(error.code == .corruptData && error.context["index"] == name && error.hint != nil)
        #expect(error.message == "The database has an index with a name that no index can have.")
        try change("UPDATE indexes SET name = 'texts' WHERE name = ?", arguments: [name])
        let database = try folder.open()
        #expect(try database.defaultCollection().count == 1)
        try database.close()
    }

    @Test func tooManyIndexesAreRefused() throws {
        try change(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
            INSERT INTO indexes (name, collection, definition) SELECT 'n' || i, 1, '{}' FROM n
            """)
        let error = try refusal()
        #expect(error.code == .corruptData && error.message == "The database has more than 1000 indexes.")
    }

    @Test(arguments: [
        (
            "view", "endless",
            "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT * FROM n"
        ),
        ("trigger", "drops", "CREATE TRIGGER drops BEFORE INSERT ON documents_1 BEGIN SELECT RAISE(IGNORE); END"),
        (
            "trigger", "index_9_insert",
            "CREATE TRIGGER index_9_insert AFTER INSERT ON documents_1 BEGIN DELETE FROM documents_1; END"
        ),
        ("table", "documents_77", "CREATE TABLE documents_77 (a)"),
        ("index", "mine", "CREATE UNIQUE INDEX mine ON documents_1 (flags)"),
    ])
    func whatIsNotOursIsNamed(kind: String, name: String, statement: String) throws {
        try change(statement)
        let error = try refusal()
        #expect(error.code == .corruptData && error.context[kind] == name, "\(error)")
        #expect(error.hint?.contains("Remove the \(kind)") == true)
        try change("DROP \(kind.uppercased()) \(name)")
        let database = try folder.open()
        try database.defaultCollection().put("b", [:])
        #expect(try database.defaultCollection().count == 2)
        try database.close()
    }

    /// Reading it would take for ever.
    @Test(arguments: ["collections", "indexes", "grdb_migrations"]) func aTableThatIsAViewIsRefused(table: String)
        throws
    {
        try change(
            """
            DROP TABLE \(table)

            CREATE VIEW \(table) AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT i AS id FROM n
            """)
        #expect(try refusal().code == .corruptData)
    }

    /// A table that swallows rows has the names of ours.
    @Test func aTableOfAnotherStatementIsRefused() throws {
        try change(
            """
            DROP TABLE outbox

            CREATE TABLE outbox (collection INTEGER NOT NULL ON CONFLICT IGNORE, number INTEGER)

            CREATE INDEX outbox_by_number ON outbox (number)
            """)
        let error = try refusal()
        #expect(error.code == .corruptData && error.context["table"] == "outbox", "\(error)")
    }

    /// A trigger of an index can be made again, so nothing is refused.
    @Test func aTriggerUnderTheNameOfOursIsReplaced() throws {
        let table = try folder.open()
        let number = try table.core().read { try #require(try IndexCatalog.find("tags", $0)).number }
        try table.close()
        try change(
            """
            DROP TRIGGER index_\(number)_insert

            CREATE TRIGGER index_\(number)_insert BEFORE INSERT ON documents_1 BEGIN SELECT RAISE(IGNORE); END
            """)
        let database = try folder.open()
        let notes = try database.defaultCollection()
        try notes.put("b", ["tags": ["cold"]])
        #expect(try notes.document(id: "b") != nil && notes.count == 2)
        let query = "SELECT META(n).id FROM _ AS n UNNEST n.tags AS t WHERE t = 'cold'"
        #expect(try database.createQuery(query).execute().allResults().map { $0.string(at: 0) } == ["b"])
        try database.performMaintenance(type: .integrityCheck)
        try database.close()
    }

    /// A definition that cannot be read must not keep triggers that nothing can be compared with.
    @Test func triggersOfAnUnknownDefinitionAreRemoved() throws {
        try change("UPDATE indexes SET definition = '{\"type\":\"later\"}'")
        let database = try folder.open()
        let triggers = try database.core().read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
        }
        #expect(triggers == [])
        #expect(try database.defaultCollection().indexes() == ["tags", "texts", "words"])
        try database.close()
    }

    @Test func noConnectionOpensAnotherFile() throws {
        let database = try folder.open()
        let path = folder.url.appendingPathComponent("other.sqlite3").path
        for write in [true, false] {
            #expect(throws: (any Error).self) {
                let attach: (GRDB.Database) throws -> Void = {
                    try $0.execute(sql: "ATTACH ? AS other", arguments: [path])
                }
                if write { try database.core().withoutTransaction(attach) } else { try database.core().read(attach) }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        // SQLite attaches a file of its own for that.
        try database.performMaintenance(type: .compact)
        try database.close()
    }
}
