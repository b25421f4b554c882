import DocumentStore
import Foundation

/// Questions about 50,000 documents, each beside the same one put to SQLite over the same texts.
enum QueryBenchmark: Benchmark {
    static let names = [
        "store.query_unindexed", "store.query_groupby", "store.query_join", "store.query_indexed", "store.fts",
    ]

    static func measure() async throws -> [BenchmarkRow] {
        let sides = try StoreSides()
        try sides.makeSites()
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
        let join = try sides.row(
            "store.query_join",
            query: """
                SELECT META(i).id, s.name FROM inspections AS i JOIN sites AS s ON META(s).id = i.site
                WHERE i.temperature > 300
                """,
            sql: """
                SELECT i.id, json_extract(s.body, '$.name') FROM texts AS i
                JOIN sites AS s ON s.id = json_extract(i.body, '$.site')
                WHERE json_extract(i.body, '$.temperature') > 300
                """, reference: "SQLite with json_extract")
        return [unindexed, groups, join] + (try indexedRows(sides))
    }

    private static func indexedRows(_ sides: StoreSides) throws -> [BenchmarkRow] {
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
        return [indexed, search]
    }
}

extension StoreSides {
    private static let runs = 9

    /// The sites that the documents name.
    fileprivate func makeSites() throws {
        let sites = (0..<500).map { (id: "site-\($0)", body: Array(#"{"name":"Site \#($0)"}"#.utf8)) }
        try raw.insertTexts(sites, table: "sites")
        let collection = try store.database.createCollection(name: "sites")
        try store.database.inBatch {
            for (id, body) in sites {
                try collection.save(document: MutableDocument(id: id, json: String(decoding: body, as: UTF8.self)))
            }
        }
    }

    fileprivate func makeIndexes() throws {
        try makeIndex(of: "reference")
        try store.inspections.createIndex(withName: "notes", config: FullTextIndexConfiguration(["note"]))
        try raw.execute("CREATE VIRTUAL TABLE notes USING fts5(note, content = '')")
        try raw.execute("INSERT INTO notes (rowid, note) SELECT rowid, json_extract(body, '$.note') FROM texts")
    }

    /// Milliseconds of the median run, all rows read.
    fileprivate func row(_ name: String, query text: String, sql: String, reference: String) throws -> BenchmarkRow {
        let query = try store.database.createQuery(text)
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
