import DocumentQuery
import GRDB
import SQLiteStorage

extension StoreCore {
    /// Builds all indexes again: SQLite's own, and the tables of elements of arrays and of words in texts.
    func reindex() throws {
        try withoutTransaction { try $0.execute(sql: "REINDEX") }
        try write { transaction in
            try Self.makeIndexesAgain(in: transaction.db) { definition in
                switch definition {
                case .array, .fullText: true
                case .value, nil: false
                }
            }
        }
    }

    private static let rulesKey = "index_rules"

    /// For a program whose functions give other values, or whose texts have other words, than when the indexes were made. An
    /// entry is removed by computing it again: if that differs, SQLite finds the index damaged and refuses the change of the
    /// document.
    static func makeIndexesAgain(_ db: GRDB.Database) throws {
        guard try !areIndexesCurrent(db) else { return }
        try makeIndexesAgain(in: db) { _ in true }
        try PropertyTable(db).set(rulesKey, to: Array(IndexRules.current.utf8))
    }

    /// Whether they were made with the rules of this program.
    static func areIndexesCurrent(_ db: GRDB.Database) throws -> Bool {
        try PropertyTable(db).value(of: rulesKey) == Array(IndexRules.current.utf8)
    }

    /// Makes the indexes again of which the file has something else than what their definitions make. A trigger of such a name
    /// could do anything with saved documents.
    static func mendIndexes(_ db: GRDB.Database, path: String) throws {
        let check = try SchemaCheck(db, path: path)
        try forEachIndex(db) { index, maker in
            guard !check.isAsMade(index, by: maker) else { return }
            LibraryLog.query.warning("The index \(index.name) of \(path) is not as it was made, and is made again")
            if index.definition == nil { try IndexCatalog.removeContent(of: index, db) }
            try makeAgain(index, maker: maker)
        }
    }

    /// Whether there is nothing to mend.
    static func areIndexesAsMade(_ check: SchemaCheck, _ db: GRDB.Database) throws -> Bool {
        var result = true
        try forEachIndex(db) { index, maker in result = result && check.isAsMade(index, by: maker) }
        return result
    }

    private static func forEachIndex(
        _ db: GRDB.Database, body: (IndexRecord, IndexMaker) throws -> Void
    ) throws {
        for collection in try CollectionCatalog.all(db) {
            let maker = IndexMaker(db: db, collection: collection.id, collectionName: collection.name)
            for index in try IndexCatalog.all(of: collection.id, db) { try body(index, maker) }
        }
    }

    private static func makeIndexesAgain(
        in db: GRDB.Database, where isWanted: (IndexDefinition?) -> Bool
    ) throws {
        try forEachIndex(db) { index, maker in
            if isWanted(index.definition) { try makeAgain(index, maker: maker) }
        }
    }

    /// An index that cannot be made any more must not block the documents: it is left empty, to be replaced or deleted.
    ///
    /// - Throws: where the index is not the cause, as with a full disk. The next opening makes it again.
    private static func makeAgain(_ index: IndexRecord, maker: IndexMaker) throws {
        do {
            try maker.db.savepoint { try maker.makeAgain(index) }
        } catch {
            if let error = error as? DatabaseError, error.resultCode != .SQLITE_ERROR { throw error }
            LibraryLog.query.warning("The index \(index.name) cannot be made again, and is not used: \(error)")
            try IndexCatalog.leaveOut(index, in: maker.db)
        }
    }
}
