import DocumentValues
import Foundation
import GRDB
import Testing

@testable import DocumentStore

/// Indexes that another version of the program made, and what is left of them on the disk.
struct IndexCatalogTests: NotesSuite {
    let fixture: NotesFixture

    init() throws { fixture = try NotesFixture() }

    private func execute(_ sql: String) throws { try database.core().write { try $0.db.execute(sql: sql) } }

    private func found(_ terms: String, in database: DocumentStore.Database) throws -> [String] {
        let query = try database.createQuery("SELECT META().id FROM notes WHERE MATCH(words, '\(terms)')")
        return try query.execute().allResults().compactMap { $0.string(at: 0) }
    }

    private func makeIndexes() throws {
        try notes.put("a", ["text": "valve", "tags": ["wet"]])
        try notes.createIndex(withName: "words", config: FullTextIndexConfiguration(["text"]))
        try notes.createIndex(withName: "tags", config: ArrayIndexConfiguration(path: "tags"))
        try notes.createIndex(withName: "texts", config: ValueIndexConfiguration(["text"]))
    }

    @Test(arguments: [#"{"type":"later"}"#, "damaged"]) func unreadableDefinitions(_ definition: String) throws {
        try makeIndexes()
        try execute("UPDATE indexes SET definition = '\(definition)'")
        #expect(try notes.indexes() == ["tags", "texts", "words"])
        #expect(try notes.indexDefinitions().map(\.name) == ["tags", "texts", "words"])
        let unnest = "SELECT META(n).id FROM notes AS n UNNEST n.tags AS t WHERE t = 'wet'"
        #expect(try database.createQuery(unnest).execute().allResults().count == 1)
        let error = #expect(throws: StoreError.self) { try found("valve", in: database) }
        #expect(error?.code == .corruptData)
        try database.performMaintenance(type: .compact)
        try notes.createIndex(withName: "words", config: FullTextIndexConfiguration(["text"]))
        #expect(try found("valve", in: database) == ["a"])
        try notes.createIndex(withName: "tags", config: ArrayIndexConfiguration(path: "tags"))
        try notes.deleteIndex(forName: "texts")
        #expect(try notes.indexes() == ["tags", "words"])
        try notes.put("b", ["text": "valve"])
        #expect(try found("valve", in: database) == ["a", "b"])
        try notes.createIndex(withName: "texts", config: ValueIndexConfiguration(["text"]))
    }

    /// A file from elsewhere may have any name.
    @Test func aStoredNameIsNoSQL() {
        let name = #"x" ON a (b); DROP TABLE a; CREATE INDEX "y"#
        let record = IndexRecord(number: 1, name: name, collection: 1, definition: nil)
        #expect(record.quotedName == #""x"" ON a (b); DROP TABLE a; CREATE INDEX ""y""#)
    }

    @Test func aCollectionWithAnUnreadableDefinitionIsDeleted() throws {
        try makeIndexes()
        try execute("UPDATE indexes SET definition = 'damaged'")
        try database.deleteCollection(name: "notes")
        let left = try database.core().read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE name LIKE 'index\\_%' ESCAPE '\\'")
        }
        #expect(left == [])
    }

    /// It is kept up as before, also where it is made as it is; only another one is refused.
    @Test func anIndexOfATimeZoneIsKept() throws {
        try makeIndexes()
        let definition = #"{"type":"array","path":"tags","expressions":"STR_TO_MILLIS(date)"}"#
        try execute("UPDATE indexes SET definition = '\(definition)' WHERE name = 'tags'")
        try execute(
            """
            INSERT INTO indexes (name, collection, definition)
            VALUES ('zoned', \(notes.number), '{"type":"value","expressions":"STR_TO_MILLIS(date)"}')
            """)
        try database.close()
        let again = try folder.open()
        let collection = try #require(try again.collection(name: "notes"))
        try collection.put("b", ["date": "2026-01-01T00:00:00", "tags": [["date": "2026-01-01T00:00:00"]]])
        let unnest = "SELECT META(n).id FROM notes AS n UNNEST n.tags AS t WHERE STR_TO_MILLIS(t.date) > 0"
        #expect(try again.createQuery(unnest).execute().allResults().count == 1)
        let same = ArrayIndexConfiguration(path: "tags", expressions: ["STR_TO_MILLIS(date)"])
        try collection.createIndex(withName: "tags", config: same)
        #expect(throws: StoreError.self) { try collection.createIndex(withName: "others", config: same) }
        #expect(try collection.indexes() == ["tags", "texts", "words", "zoned"])
        try again.close()
    }

    private func forgetRules(_ database: DocumentStore.Database) throws {
        try database.core().write {
            try $0.db.execute(sql: "UPDATE properties SET value = x'30' WHERE key = 'index_rules'")
        }
    }

    /// A text becomes other words than it was indexed by: what is deleted has to be the same.
    @Test func fullTextIndexesOfOtherRulesAreMadeAgain() throws {
        try makeIndexes()
        let table = try database.core().read { db in
            try #require(try IndexCatalog.find("words", db)).table
        }
        try execute("INSERT INTO \(table) (\(table)) VALUES ('delete-all')")
        #expect(try found("valve", in: database) == [])
        try database.close()
        let same = try folder.open()
        #expect(try found("valve", in: same) == [])
        try forgetRules(same)
        try same.close()
        let again = try folder.open()
        #expect(try found("valve", in: again) == ["a"])
        try #require(try again.collection(name: "notes")).put("a", ["text": "pump"])
        #expect(try found("valve", in: again) == [])
        #expect(try found("pump", in: again) == ["a"])
        try again.close()
    }

    /// There is room again a minute later.
    @Test func aFullDiskTakesNoIndexAway() throws {
        for number in 0..<200 { try notes.put("n\(number)", ["text": String(repeating: "\(number) ", count: 200)]) }
        try notes.createIndex(withName: "value", config: ValueIndexConfiguration(["text"]))
        try execute("DROP INDEX value")
        try database.performMaintenance(type: .compact)
        try forgetRules(database)
        let error = #expect(throws: StoreError.self) {
            try database.core().write { transaction in
                let pages = try Int.fetchOne(transaction.db, sql: "PRAGMA page_count") ?? 0
                try transaction.db.execute(sql: "PRAGMA max_page_count = \(pages)")
                try StoreCore.makeIndexesAgain(transaction.db)
            }
        }
        #expect(error?.code == .diskFull)
        try database.close()
        let again = try folder.open()
        let made = try again.core().read { db in
            try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'value'")
        }
        #expect(made != nil)
        try again.close()
    }

    /// A function gave other keys when the index was made. SQLite would find the index damaged with the next change.
    @Test func valueIndexesOfOtherRulesAreMadeAgain() throws {
        try notes.put("a", ["text": "Valve"])
        try notes.createIndex(withName: "lower", config: ValueIndexConfiguration(["LOWER(text)"]))
        let statement = try database.core().read { db in
            try #require(try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'lower'"))
        }
        try execute("DROP INDEX lower; \(statement.replacing("fb_lower", with: "fb_upper"))")
        try forgetRules(database)
        try database.close()
        let again = try folder.open()
        let made = try again.core().read { db in
            try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'lower'")
        }
        #expect(made == statement)
        let query = "SELECT META().id FROM notes WHERE LOWER(text) = 'valve'"
        #expect(try again.createQuery(query).execute().allResults().count == 1)
        try again.close()
    }

    /// A definition that this version refuses keeps nobody from the documents.
    @Test func anIndexThatCannotBeMadeAgainIsLeftOut() throws {
        try makeIndexes()
        try execute(
            """
            UPDATE indexes SET definition = '{"type":"value","expressions":"nosuch("}' WHERE name = 'texts'
            """)
        try forgetRules(database)
        try database.close()
        let again = try folder.open()
        #expect(try found("valve", in: again) == ["a"])
        let collection = try #require(try again.collection(name: "notes"))
        try collection.put("b", ["text": "valve"])
        #expect(try collection.indexes() == ["tags", "texts", "words"])
        try collection.deleteIndex(forName: "texts")
        #expect(try collection.indexes() == ["tags", "words"])
        try again.close()
    }

    /// Names are their bytes: the second one replaces the first.
    @Test func anIndexOverAPropertyThatLooksAlikeIsAnother() throws {
        let json = #"{"\u00e9":"apple","e\u0301":"pear"}"#
        try notes.save(document: MutableDocument(id: "a", json: json))
        for (property, terms) in [("`\u{E9}`", ["apple", "pear"]), ("`e\u{301}`", ["pear", "apple"])] {
            try notes.createIndex(withName: "words", config: FullTextIndexConfiguration([property]))
            #expect(try found(terms[0], in: database) == ["a"], "\(property)")
            #expect(try found(terms[1], in: database) == [], "\(property)")
        }
    }

    @Test func noWordOfAPurgedDocumentIsLeft() throws {
        try notes.createIndex(withName: "words", config: FullTextIndexConfiguration(["text"]))
        try notes.put("a", ["text": "xylophonist"])
        try notes.purge(id: "a")
        if !FullTextDeletion.isSecure { try database.performMaintenance(type: .compact) }
        #expect(folder.files(containing: Array("xylophonist".utf8)) == [])
    }
    /// Also of a process that has no time for it, or is killed.
    @Test(arguments: [true, false]) func noWordIsLeftWhenTheDatabaseIsClosed(isReopened: Bool) throws {
        try notes.createIndex(withName: "words", config: FullTextIndexConfiguration(["text"]))
        try notes.put("a", ["text": "xylophonist"])
        try notes.put("b", ["text": "other"])
        try notes.purge(id: "a")
        if isReopened {
            // The other object finds what this one has left.
            let other = try folder.open()
            try other.core().removeLeftovers()
            try other.close()
        } else {
            try database.close()
        }
        #expect(folder.files(containing: Array("xylophonist".utf8)) == [])
        #expect(try folder.open().core().read(FullTextLeftovers.areThere) == false)
    }
}
