import DocumentStore
import Foundation

/// Questions about 50,000 documents, each beside the same one put to SQLite over the same texts.
enum QueryBenchmark: Benchmark {
    static let names = [
        "store.query_unindexed", "store.query_groupby", "store.query_indexed", "store.fts",
    ]
    private static let documents = 50_000

    static func measure() async throws -> [BenchmarkRow] {
        let sides = try QuerySides(SampleDocuments.documents(0..<documents))
        let unindexed = try sides.row(
            "store.query_unindexed",
            query: "SELECT META().id, number FROM inspections WHERE temperature > 30 ORDER BY reference LIMIT 100",
            sql: """
                SELECT id, json_extract(body, '$.number') FROM texts WHERE json_extract(body, '$.temperature') > 30
                ORDER BY json_extract(body, '$.reference') LIMIT 100
                """, reference: "SQLite with json_extract")
        let groups = try sides.row(
            "store.query_groupby", query: "SELECT site, COUNT(*) AS n FROM inspections GROUP BY site",
            sql: "SELECT json_extract(body, '$.site') AS site, COUNT(*) FROM texts GROUP BY site",
            reference: "SQLite with json_extract")
        try sides.makeIndexes()
        let indexed = try sides.row(
            "store.query_indexed",
            query: "SELECT META().id, number FROM inspections WHERE reference > '8' ORDER BY reference LIMIT 100",
            sql: """
                SELECT id, json_extract(body, '$.number') FROM texts WHERE json_extract(body, '$.reference') > '8'
                ORDER BY json_extract(body, '$.reference') LIMIT 100
                """, reference: "SQLite with an index of json_extract")
        let search = try sides.row(
            "store.fts", query: "SELECT META().id FROM inspections WHERE MATCH(notes, 'cracked inlet NOT valve')",
            sql: """
                SELECT t.id FROM notes JOIN texts AS t ON t.rowid = notes.rowid
                WHERE notes MATCH 'cracked inlet NOT valve'
                """,
            reference: "SQLite's FTS5 over the notes")
        return [unindexed, groups, indexed, search]
    }
}

/// The same documents in a database of ours and in a table of SQLite's.
private struct QuerySides {
    private static let runs = 9
    private let folder: TemporaryFolder
    private let database: Database
    private let inspections: DocumentStore.Collection
    private let raw: RawSQLite

    init(_ samples: [(id: String, body: [UInt8])]) throws {
        folder = try TemporaryFolder()
        raw = try RawSQLite()
        try raw.insertTexts(samples)
        var configuration = DatabaseConfiguration()
        configuration.directory = folder.path
        database = try Database(name: "bench", config: configuration)
        let inspections = try database.createCollection(name: "inspections")
        try database.inBatch {
            for (id, body) in samples {
                try inspections.save(
                    document: MutableDocument(id: id, json: String(decoding: body, as: UTF8.self)))
            }
        }
        self.inspections = inspections
    }

    func makeIndexes() throws {
        try inspections.createIndex(withName: "references", config: ValueIndexConfiguration(["reference"]))
        try inspections.createIndex(withName: "notes", config: FullTextIndexConfiguration(["note"]))
        try raw.execute("CREATE INDEX text_references ON texts (json_extract(body, '$.reference'))")
        try raw.execute("CREATE VIRTUAL TABLE notes USING fts5(note, content = '')")
        try raw.execute("INSERT INTO notes (rowid, note) SELECT rowid, json_extract(body, '$.note') FROM texts")
    }

    /// Milliseconds of the median run, all rows read.
    func row(_ name: String, query text: String, sql: String, reference: String) throws -> BenchmarkRow {
        let query = try database.createQuery(text)
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for _ in 0..<Self.runs {
            var (rows, others) = (0, 0)
            ours.append(
                1_000
                    * (try Measuring.seconds {
                        for row in try query.execute() where row.value(at: 0) != nil { rows += 1 }
                    }))
            theirs.append(1_000 * (try Measuring.seconds { others = try raw.readRows(sql) }))
            guard rows == others, rows > 0 else {
                throw BenchmarkFailure("\(name): \(rows) rows, and \(others) of SQLite's")
            }
        }
        return BenchmarkRow(
            name, Measuring.median(ours), "ms", .lower, reference: reference, Measuring.median(theirs))
    }
}
