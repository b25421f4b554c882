import DocumentValues
import GRDB
import SQLiteStorage

/// An index as the database knows it.
struct IndexRecord: Sendable {
    let number: Int64
    let name: String
    let collection: Int64
    /// `nil` where it is damaged, or of a kind that only a newer version knows: then the index can be listed, replaced and
    /// removed.
    let definition: IndexDefinition?

    /// The table of an array's elements, or of the words of texts.
    var table: String { "index_\(number)" }

    /// The name as SQL writes it. One in a file from elsewhere may have quotation marks, and SQL behind them.
    var quotedName: String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}

/// The table of indexes.
enum IndexCatalog {
    private static let columns = "number, name, collection, definition"

    /// In the order of their names' bytes.
    static func all(of collection: Int64, _ db: GRDB.Database) throws -> [IndexRecord] {
        let query = try RawStatement("SELECT \(columns) FROM indexes WHERE collection = ?1 ORDER BY name", db)
        query.bind(1, to: collection)
        return try query.all(record)
    }

    /// Those of all collections, also of some that are not there.
    static func all(_ db: GRDB.Database) throws -> [IndexRecord] {
        try RawStatement("SELECT \(columns) FROM indexes", db).all(record)
    }

    static func count(_ db: GRDB.Database) throws -> Int {
        try RawStatement("SELECT count(*) FROM indexes", db).first { Int($0.int64(0)) } ?? 0
    }

    /// By a name in any case.
    static func find(_ name: String, _ db: GRDB.Database) throws -> IndexRecord? {
        let query = try RawStatement("SELECT \(columns) FROM indexes WHERE name = ?1 COLLATE NOCASE", db)
        query.bind(1, to: name)
        return try query.first(record)
    }

    /// - Throws: `.corruptData` for a name that a new index may not have: a file from elsewhere may have any.
    private static func record(_ row: RawStatement) throws -> IndexRecord {
        let (number, name) = (row.int64(0), row.text(1))
        do { try IndexMaker.check(name) } catch { throw StoreError.impossibleIndexName(name) }
        guard number > 0 else { throw StoreError.impossibleIndexName(name) }
        return IndexRecord(
            number: number, name: name, collection: row.int64(2), definition: definition(row.bytes(3)))
    }

    private static func definition(_ bytes: [UInt8]) -> IndexDefinition? {
        do { return IndexDefinition(try JSONObject(parsing: bytes)) } catch { return nil }
    }

    static func add(
        _ name: String, collection: Int64, definition: IndexDefinition, _ db: GRDB.Database
    ) throws -> IndexRecord {
        let insert = try RawStatement("INSERT INTO indexes (name, collection, definition) VALUES (?1, ?2, ?3)", db)
        insert.bind(1, to: name)
        insert.bind(2, to: collection)
        insert.bindText(3, to: definition.json.bytes)
        try insert.run()
        return IndexRecord(
            number: db.lastInsertedRowID, name: name, collection: collection, definition: definition)
    }

    /// Merges the parts of full-text indexes, so that words of deleted documents are gone from the file.
    static func mergeFullText(_ db: GRDB.Database) throws {
        for collection in try CollectionCatalog.all(db) {
            for index in try all(of: collection.id, db) {
                switch index.definition {
                case .fullText:
                    let table = index.table
                    let merge = "INSERT INTO \(table) (\(table)) VALUES ('optimize')"
                    // An index that an older SQLite made is set up for a newer one here.
                    for statement in [merge] + FullTextDeletion.statements(table) { try db.execute(sql: statement) }
                case .value, .array, nil: break
                }
            }
        }
    }

    /// Removes an index with everything that it needed.
    static func remove(_ index: IndexRecord, _ db: GRDB.Database) throws {
        try removeContent(of: index, db)
        try db.execute(sql: "DELETE FROM indexes WHERE number = ?", arguments: [index.number])
    }

    /// Removes the tables of an index and keeps its name, with an invalid definition: so it can still be replaced and
    /// removed.
    static func leaveOut(_ index: IndexRecord, in db: GRDB.Database) throws {
        try removeContent(of: index, db)
        try db.execute(
            sql: "UPDATE indexes SET definition = json_object('was', json(definition)) WHERE number = ?",
            arguments: [index.number])
    }

    static func removeContent(of index: IndexRecord, _ db: GRDB.Database) throws {
        switch index.definition {
        case .value: try removeValues(of: index, db)
        case .array, .fullText: try removeTable(of: index, db)
        case nil:
            try removeTable(of: index, db)
            try removeValues(of: index, db)
        }
    }

    /// Only an index on this table is removed: another object may have the same name, such as a full-text index.
    private static func removeValues(of index: IndexRecord, _ db: GRDB.Database) throws {
        let query = try RawStatement(
            "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?1 AND tbl_name = ?2", db)
        query.bind(1, to: index.name)
        query.bind(2, to: "documents_\(index.collection)")
        guard try query.first({ _ in true }) != nil else { return }
        try db.execute(sql: "DROP INDEX \(index.quotedName)")
    }

    private static func removeTable(of index: IndexRecord, _ db: GRDB.Database) throws {
        for event in ["insert", "update", "delete"] {
            try db.execute(sql: "DROP TRIGGER IF EXISTS \(index.table)_\(event)")
        }
        try db.execute(sql: "DROP TABLE IF EXISTS \(index.table)")
    }
}
