import DocumentQuery
import DocumentValues
import GRDB
import SQLiteStorage
import Testing

@testable import DocumentStore

/// The work of finding out whether the rows of a query have changed, beside that of the query itself.
@Suite struct QueryMarkStepsTests {
    private let folder: TestFolder
    private let database: DocumentStore.Database

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        let sites = try database.createCollection(name: "sites")
        try sites.createIndex(withName: "regions", config: ValueIndexConfiguration(["region"]))
        try sites.createIndex(withName: "days", config: ValueIndexConfiguration(["region", "day"]))
        try database.inBatch {
            for number in 0..<300 { try sites.put("\(number)", ["region": "north", "day": number, "n": number]) }
        }
    }

    /// By the steps of SQLite. The mark reads all documents of the condition: a query that reads fewer has none.
    @Test(arguments: [
        ("SELECT n FROM sites WHERE region = 'north' ORDER BY day LIMIT 2", false),
        ("SELECT n FROM sites WHERE region = 'north' ORDER BY day, n LIMIT 2", false),
        ("SELECT n FROM sites WHERE region = 'north' LIMIT 2", false),
        ("SELECT COUNT(*) FROM sites WHERE region = 'north' GROUP BY day LIMIT 2", false),
        ("SELECT MAX(day) FROM sites WHERE region = 'north'", false),
        ("SELECT n FROM sites WHERE region = 'north' ORDER BY n LIMIT 2", true),
        ("SELECT n FROM sites WHERE region = 'north' ORDER BY day", true),
        ("SELECT MAX(n) FROM sites WHERE region = 'north'", true),
    ]) func itTakesNoLongerThanTheQuery(text: String, exists: Bool) throws {
        let query = try database.createQuery(text)
        let all = try database.createQuery("SELECT n FROM sites WHERE region = 'north'")
        #expect(try (query.mark() != nil) == exists)
        try database.core().snapshot { db in
            let marked = try StatementTranslator.mark(
                of: all.built.statement, environment: StoreQueryEnvironment(db: db, databaseName: "test"))
            let translated = try #require(marked)
            let marking = try RawStatement(uncached: translated.sql, db)
            try QueryBinding.bind([:], of: translated, to: marking)
            let (statement, _) = try query.prepare(db)
            let (steps, ofMark) = (try statement.stepsOfAllRows(), try marking.stepsOfAllRows())
            #expect((ofMark < 4 * steps) == exists, "\(ofMark) steps of the mark, \(steps) of the query")
        }
    }
}
