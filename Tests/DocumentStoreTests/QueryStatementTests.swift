import DocumentValues
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import DocumentStore

/// What queries leave behind, and what they make of a damaged file.
struct QueryStatementTests: NotesSuite {
    let fixture: NotesFixture

    init() throws { fixture = try NotesFixture() }

    /// How many statements a connection for results has, and the bytes of them.
    private func statements() throws -> (count: Int, bytes: Int) {
        let results = try database.core().results
        let turn = try results.turns.turnAtOnce()
        defer { turn.giveBack() }
        let connection = try results.take(turn)
        defer { results.giveBack(connection) }
        return connection.read { db in
            var (count, bytes) = (0, 0)
            var next = sqlite3_next_stmt(db.sqliteConnection, nil)
            while let statement = next {
                count += 1
                bytes += Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_MEMUSED, 0))
                next = sqlite3_next_stmt(db.sqliteConnection, statement)
            }
            return (count, bytes)
        }
    }

    /// Programs write values into their texts.
    @Test func statementsOfDifferentTextsAreNotKeptForEver() throws {
        try notes.put("a", ["text": "valve"])
        for number in 0..<300 {
            _ = try database.createQuery("SELECT text FROM notes WHERE text = 'text \(number)'").execute().readAll()
        }
        #expect(try statements().count <= StoreLimits.cachedStatements + 10)
        for number in 0..<20 {
            let list = (0..<2_000).map { "'\(number) \($0)'" }.joined(separator: ",")
            _ = try database.createQuery("SELECT text FROM notes WHERE text IN (\(list))").execute().readAll()
        }
        #expect(try statements().bytes <= StoreLimits.cachedStatementBytes + 200_000)
        let pool = try database.core().read { db in
            var count = 0
            var next = sqlite3_next_stmt(db.sqliteConnection, nil)
            while let statement = next {
                count += 1
                next = sqlite3_next_stmt(db.sqliteConnection, statement)
            }
            return count
        }
        #expect(pool < 100)
        try database.close()
    }

    /// The statement of a text is the same again, with the values of this time, also where tables came and went meanwhile.
    @Test func aStatementIsUsedAgain() throws {
        try notes.put("a", ["text": "valve"])
        try notes.put("b", ["text": "pump"])
        let query = try database.createQuery("SELECT META().id FROM notes WHERE text = $text OR $text IS MISSING")
        #expect(try query.execute().readAll().count == 2)
        let before = try statements().count
        query.parameters = Parameters().setString("pump", forName: "text")
        #expect(try query.execute().readAll().compactMap { $0.string(at: 0) } == ["b"])
        query.parameters = nil
        #expect(try query.execute().readAll().count == 2)
        #expect(try statements().count == before)
        _ = try database.createCollection(name: "others")
        try notes.createIndex(withName: "texts", config: ValueIndexConfiguration(["text"]))
        #expect(try query.execute().readAll().count == 2)
    }

    @Test(arguments: [#"{"a":}"#, #"{"a":[1,,2]}"#, #"{"a":1"#, "", "\u{1}"])
    func aDamagedDocument(body: String) throws {
        for id in 0..<40 { try notes.put("\(id)", ["a": [1, 2]]) }
        try database.core().write {
            try $0.db.execute(
                sql: "UPDATE documents_\(notes.number) SET body = ? WHERE id = '30'", arguments: [body])
        }
        let query = try database.createQuery("SELECT * FROM notes")
        let results = try query.execute()
        #expect(results.allResults().isEmpty)
        let error = try #require(results.error as? StoreError)
        #expect(error.code == .corruptData)
        #expect(throws: StoreError.self) { try query.execute().readAll() }
        let decoded = try query.execute()
        let failure = #expect(throws: StoreError.self) { try decoded.data(as: [String: [Int]].self, dataKey: "notes") }
        #expect(failure?.code == .corruptData && (decoded.error as? StoreError)?.code == .corruptData)
        #expect(decoded.next() == nil)
        // The others are there.
        #expect(try database.createQuery("SELECT * FROM notes WHERE META().id != '30'").execute().readAll().count == 39)
    }

    /// Rows behind one that does not fit a type were read for the type, and are looked at for those who go on with them.
    @Test func whatIsLeftBehindARowThatDoesNotFit() throws {
        for id in 0..<40 { try notes.put("\(id)", id == 20 ? ["a": "text"] : ["a": [1, 2]]) }
        try database.core().write {
            try $0.db.execute(sql: "UPDATE documents_\(notes.number) SET body = '{' WHERE id = '30'")
        }
        let results = try database.createQuery("SELECT * FROM notes").execute()
        let failure = #expect(throws: StoreError.self) { try results.data(as: [String: [Int]].self, dataKey: "notes") }
        #expect(failure?.code == .invalidParameter)
        #expect(Array(IteratorSequence(results)).count == 9)
        #expect((results.error as? StoreError)?.code == .corruptData)
    }
}
