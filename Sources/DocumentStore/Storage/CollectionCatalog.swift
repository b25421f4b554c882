import DocumentValues
import GRDB
import SQLiteStorage

/// A collection as the database knows it, with its counters.
struct CollectionRecord: Sendable, Hashable {
    let id: Int64
    let name: CollectionName
    var lastSequence: UInt64
    var liveDocuments: Int64
    /// Seconds since 1970.
    var nextExpiration: Double?
    /// False where the file has counters that no collection can reach: these here are the nearest possible ones. Its
    /// documents can be read, but nothing is written to it.
    var hasPossibleCounters = true

    /// - Parameters:
    ///   - sequence: as the file has it.
    ///   - live: as the file has it.
    mutating func setCounters(sequence: Int64, live: Int64) {
        let possible = 0...StoreLimits.sequence
        hasPossibleCounters = possible.contains(sequence) && possible.contains(live)
        lastSequence = UInt64(min(max(0, sequence), StoreLimits.sequence))
        liveDocuments = min(max(0, live), StoreLimits.sequence)
    }
}

/// The table of collections, and the table that each of them has.
///
/// A commit of documents writes no counters of their collection: the newest document has them in its own row, which is
/// written anyway, so that a save writes a page less to the disk. The row in the table of collections has those of the last
/// commit that took a sequence for no document, such as a purge. Those with the higher sequence count.
enum CollectionCatalog {
    private static let columns = "id, scope, name, last_sequence, live_documents, next_expiration"

    static func all(_ db: GRDB.Database) throws -> [CollectionRecord] {
        try RawStatement("SELECT \(columns) FROM collections ORDER BY scope, name", db).all(record)
            .compactMap { try $0.map { try counted($0, db) } }
    }

    /// Names in the table that no collection can have, in a file from elsewhere. The other collections can be used.
    static func impossibleNames(_ db: GRDB.Database) throws -> [String] {
        try RawStatement("SELECT scope, name FROM collections", db).all { row -> String? in
            name(row.text(1), in: row.text(0)) == nil ? "\(row.text(0)).\(row.text(1))" : nil
        }.compactMap(\.self)
    }

    /// `nil` where there is no such collection.
    private static func name(_ name: String, in scope: String) -> CollectionName? {
        do { return try CollectionName(scope: scope, name: name) } catch { return nil }
    }

    static func find(_ name: CollectionName, _ db: GRDB.Database) throws -> CollectionRecord? {
        let query = try RawStatement("SELECT \(columns) FROM collections WHERE scope = ?1 AND name = ?2", db)
        query.bind(1, to: name.scope)
        query.bind(2, to: name.name)
        return try query.first(record)?.map { try counted($0, db) }
    }

    static func find(_ id: Int64, _ db: GRDB.Database) throws -> CollectionRecord? {
        let query = try RawStatement("SELECT \(columns) FROM collections WHERE id = ?1", db)
        query.bind(1, to: id)
        return try query.first(record)?.map { try counted($0, db) }
    }

    /// `nil` for a name that no collection can have.
    private static func record(_ row: RawStatement) -> CollectionRecord? {
        guard let name = name(row.text(2), in: row.text(1)) else { return nil }
        var record = CollectionRecord(
            id: row.int64(0), name: name, lastSequence: 0, liveDocuments: 0, nextExpiration: row.double(5))
        record.setCounters(sequence: row.int64(3), live: row.int64(4))
        return record
    }

    /// The record with the counters that the newest document has, where they are newer.
    private static func counted(_ record: CollectionRecord, _ db: GRDB.Database) throws -> CollectionRecord {
        guard let newest = try newestCounters(of: record.id, db), newest.sequence > Int64(record.lastSequence) else {
            return record
        }
        var record = record
        record.setCounters(sequence: newest.sequence, live: newest.live)
        return record
    }

    /// `nil` where there is no document, and where a version that kept the counters in the catalogue has stored the newest.
    private static func newestCounters(of id: Int64, _ db: GRDB.Database) throws -> (sequence: Int64, live: Int64)? {
        do {
            let query = try RawStatement(
                "SELECT sequence, ifnull(live_documents, -1) FROM documents_\(id) ORDER BY sequence DESC LIMIT 1", db)
            return try query.first { $0.int64(1) < 0 ? nil : ($0.int64(0), $0.int64(1)) } ?? nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // There is no such table: another process has deleted the collection since its row was read.
            return nil
        }
    }

    /// A random number, except for the first collection. A counter would give a number out again after the transaction that
    /// made a collection is rolled back: a holder of that collection would then write into another one.
    private static func newNumber(_ db: GRDB.Database) throws -> Int64 {
        guard try all(db).isEmpty == false else { return 1 }
        while true {
            let number = Int64.random(in: 2...(1 << 48))
            if try find(number, db) == nil { return number }
        }
    }

    static func create(_ name: CollectionName, _ db: GRDB.Database) throws -> CollectionRecord {
        let id = try newNumber(db)
        let insert = try RawStatement("INSERT INTO collections (scope, name, id) VALUES (?1, ?2, ?3)", db)
        insert.bind(1, to: name.scope)
        insert.bind(2, to: name.name)
        insert.bind(3, to: id)
        try insert.run()
        try db.execute(sql: table(id))
        try createIndexes(id, db)
        return CollectionRecord(id: id, name: name, lastSequence: 0, liveDocuments: 0, nextExpiration: nil)
    }

    /// The statement that makes its table. The sequence is the key: changes are read in its order, and an insert touches one
    /// more index only.
    private static func table(_ id: Int64) -> String {
        """
        CREATE TABLE documents_\(id) (
            sequence INTEGER PRIMARY KEY NOT NULL,
            id TEXT NOT NULL UNIQUE,
            revision TEXT NOT NULL,
            history TEXT NOT NULL,
            remotes TEXT NOT NULL,
            flags INTEGER NOT NULL,
            timestamp INTEGER NOT NULL,
            expiration REAL,
            live_documents INTEGER,
            body TEXT NOT NULL
        )
        """
    }

    private static let addedColumn = "live_documents INTEGER"

    /// The statements by which a table may have been made: in one of an earlier version the column is the last one.
    static func tables(_ id: Int64) -> [String] {
        let table = table(id)
        let earlier = table.replacing("    \(addedColumn),\n", with: "").dropLast()
        return [table, "\(earlier), \(addedColumn))"]
    }

    /// The statements that make its indexes. Each has only the few documents for which it is used.
    static func indexes(_ id: Int64) -> [String] {
        [
            "CREATE INDEX documents_\(id)_expiration ON documents_\(id) (expiration) WHERE expiration IS NOT NULL",
            "CREATE INDEX documents_\(id)_deleted ON documents_\(id) (id) WHERE flags & 1 = 1",
        ]
    }

    /// Adds the columns that collections of an earlier version do not have. Their rows have NULL there.
    static func addColumns(_ db: GRDB.Database) throws {
        for id in try RawStatement("SELECT id FROM collections", db).all({ $0.int64(0) }) {
            let query = try RawStatement(
                "SELECT 1 FROM pragma_table_info('documents_\(id)') WHERE name = 'live_documents'", db)
            guard try query.first({ _ in true }) == nil else { continue }
            try db.execute(sql: "ALTER TABLE documents_\(id) ADD COLUMN \(addedColumn)")
        }
    }

    /// Creates the missing indexes: a collection of an earlier version has fewer.
    static func createIndexes(_ id: Int64, _ db: GRDB.Database) throws {
        for index in indexes(id) {
            try db.execute(sql: index.replacing("CREATE INDEX", with: "CREATE INDEX IF NOT EXISTS"))
        }
    }

    /// Whether those are all there.
    static func hasIndexes(_ id: Int64, _ db: GRDB.Database) throws -> Bool {
        let query = try RawStatement(
            "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name IN (?1, ?2)", db)
        query.bind(1, to: "documents_\(id)_expiration")
        query.bind(2, to: "documents_\(id)_deleted")
        return try query.first { $0.int64(0) } == 2
    }

    static func delete(_ id: Int64, _ db: GRDB.Database) throws {
        for index in try IndexCatalog.all(of: id, db) { try IndexCatalog.remove(index, db) }
        try db.execute(sql: "DROP TABLE documents_\(id)")
        for table in ["conflicts", "base_bodies", "blob_references", "purged_documents", "outbox"] {
            let owner = table == "blob_references" ? " AND owner <> \(BlobOwner.quarantine.rawValue)" : ""
            try db.execute(sql: "DELETE FROM \(table) WHERE collection = ?\(owner)", arguments: [id])
        }
        try db.execute(sql: "DELETE FROM collections WHERE id = ?", arguments: [id])
        // Checkpoints know collections by their names, but a collection that is made again is another one.
        try CheckpointGeneration.forgetCheckpoints(db)
    }

    static func setCounters(_ record: CollectionRecord, _ db: GRDB.Database) throws {
        let update = try RawStatement(
            "UPDATE collections SET last_sequence = ?2, live_documents = ?3, next_expiration = ?4 WHERE id = ?1", db)
        update.bind(1, to: record.id)
        update.bind(2, to: Int64(record.lastSequence))
        update.bind(3, to: record.liveDocuments)
        update.bind(4, to: record.nextExpiration)
        try update.run()
    }
}
