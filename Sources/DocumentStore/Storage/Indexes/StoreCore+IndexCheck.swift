import DocumentQuery
import GRDB
import SQLiteStorage

/// Checks indexes against the documents. SQLite checks its own ones, which include those of values.
extension StoreCore {
    /// Each as `tags of field.visits`.
    func damagedIndexes() throws -> [String] {
        var damaged: [String] = []
        for collection in try read(CollectionCatalog.all) {
            for index in try read({ try IndexCatalog.all(of: collection.id, $0) }) {
                if try isDamaged(index, of: collection) { damaged.append("\(index.name) of \(collection.name)") }
            }
        }
        return damaged
    }

    private func isDamaged(_ index: IndexRecord, of collection: CollectionRecord) throws -> Bool {
        switch index.definition {
        case .value, nil: return false
        case .array(let path, let expressions):
            return try snapshot { db in
                let maker = IndexMaker(db: db, collection: collection.id, collectionName: collection.name)
                return try Self.fails {
                    let translated = try IndexTranslator.arrayIndex(path: path, expressions: expressions)
                    return try Self.isOther(index.table, than: maker.elements(of: translated), db)
                }
            }
        case .fullText:
            // FTS5 takes it for a write, although nothing is written.
            return try write(.normal) { transaction in
                try Self.fails {
                    try transaction.db.execute(
                        sql: "INSERT INTO \(index.table) (\(index.table)) VALUES ('integrity-check')")
                    return false
                }
            }
        }
    }

    /// Whether a table has other rows than a query, or another number of them. In a statement that begins with WITH,
    /// functions fail as they do for an index.
    private static func isOther(_ table: String, than content: String, _ db: GRDB.Database) throws -> Bool {
        let query = try RawStatement(
            """
            WITH content AS (\(content))
            SELECT (SELECT count(*) FROM \(table)) <> (SELECT count(*) FROM content)
            OR EXISTS (SELECT * FROM \(table) EXCEPT SELECT * FROM content)
            OR EXISTS (SELECT * FROM content EXCEPT SELECT * FROM \(table))
            """, db)
        return try query.first { $0.bool(0) } ?? false
    }

    /// Whether `body` returns true, or fails because of damage: a missing table, or pages that cannot be read.
    private static func fails(_ body: () throws -> Bool) throws -> Bool {
        do { return try body() } catch is QueryError {
            return true
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode) {
            return true
        }
    }
}
