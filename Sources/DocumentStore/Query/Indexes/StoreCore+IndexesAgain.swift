import DocumentQuery
import Foundation
import GRDB
import SQLiteStorage

extension StoreCore {
    /// Builds all indexes again: SQLite's own, and the tables of what is in arrays and of the words in texts.
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

    /// Where functions give other values, or texts have other words, than when the indexes were made: what is taken out of an
    /// index has to be what was put into it, or SQLite finds it damaged and refuses the change of the document.
    static func makeIndexesAgain(_ db: GRDB.Database) throws {
        guard try !areIndexesCurrent(db) else { return }
        try makeIndexesAgain(in: db) { _ in true }
        try db.execute(
            sql: "INSERT OR REPLACE INTO properties (key, value) VALUES (?, ?)",
            arguments: [rulesKey, Data(IndexRules.current.utf8)])
    }

    /// Whether they were made with the rules of this program.
    static func areIndexesCurrent(_ db: GRDB.Database) throws -> Bool {
        try stored(db) == Array(IndexRules.current.utf8)
    }

    private static func makeIndexesAgain(
        in db: GRDB.Database, where isWanted: (IndexDefinition?) -> Bool
    ) throws {
        for collection in try CollectionCatalog.all(db) {
            let maker = IndexMaker(db: db, collection: collection.id, collectionName: collection.name)
            for index in try IndexCatalog.all(of: collection.id, db) where isWanted(index.definition) {
                try makeAgain(index, maker: maker)
            }
        }
    }

    private static func stored(_ db: GRDB.Database) throws -> [UInt8]? {
        let query = try RawStatement("SELECT value FROM properties WHERE key = ?1", db)
        query.bind(1, to: rulesKey)
        return try query.first { $0.bytes(0) }
    }

    /// An index that cannot be made any more keeps nobody from the documents: it is left empty, to be replaced or deleted.
    ///
    /// - Throws: where it is not the index that is in the way: a full disk, say. The next opening makes it again.
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
