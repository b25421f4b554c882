import DocumentValues
import GRDB
import SQLiteStorage

/// Reads a few small rows on the calling thread. Only one such thread a core serves the requests of all clients.
final class SQLiteInPlaceReader: InPlaceReader {
    /// For calls from an event loop: with the single connection, it would have to wait for all other callers.
    private let pool: DatabasePool
    /// Not one of the pool's readers: a thread may wait for these only if no task depends on that thread, and tasks
    /// share few threads.
    private let reader: DatabaseQueue
    private let damage: FileDamage
    private let isOpen: OpenMark

    init(pool: DatabasePool, reader: DatabaseQueue, damage: FileDamage, isOpen: OpenMark) {
        self.pool = pool
        self.reader = reader
        self.damage = damage
        self.isOpen = isOpen
    }

    func close() throws { try reader.close() }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try reader.unsafeRead { db in try readOpen(db, running: body) }
    }

    /// Another thread may close the store before this one gets the connection, but not after that.
    private func readOpen<Value>(_ db: Database, running body: (Database) throws -> Value) throws -> Value {
        try isOpen.check()
        return try damage.noting { try db.reading { try body(db) } }
    }

    func session(_ key: [UInt8]) throws -> Session? { try read { try SQLiteSessionRows(db: $0).find(key) } }

    func signedIn(with key: [UInt8]) throws -> (session: Session, user: StoredPrincipal)? {
        try read { db in
            guard let session = try SQLiteSessionRows(db: db).find(key) else { return nil }
            return try SQLitePrincipalRows(db: db).find(session.user).map { (session: session, user: $0) }
        }
    }

    func sequences(of ids: [String], in collection: Int64) throws -> [UInt64?] {
        try read { try SQLiteDocumentRows(db: $0).sequences(of: ids, in: collection) }
    }

    func states(of ids: [String], in collection: Int64, upTo bytes: Int) throws -> ReadInPlace<[DocumentState?]> {
        try read { db in
            let documents = SQLiteDocumentRows(db: db)
            guard try documents.bytes(of: ids, in: collection) <= bytes else { return .tooLarge }
            var states = [DocumentState?](repeating: nil, count: ids.count)
            try documents.forEachState(of: ids, in: collection) { states[$0] = $1 }
            return .found(states)
        }
    }

    func localDocument(
        _ id: String, in collection: Int64, upTo bytes: Int
    ) throws -> ReadInPlace<LocalDocument?> {
        try read { db in
            let documents = SQLiteLocalDocumentRows(db: db)
            guard try documents.length(of: id, in: collection) <= bytes else { return .tooLarge }
            return .found(try documents.find(id, in: collection))
        }
    }

    func attachment(_ digest: Name, of document: Int64, from offset: Int, count: Int) throws -> [UInt8] {
        try isOpen.check()
        return try pool.unsafeRead { db in
            try readOpen(db) { try SQLiteAttachmentRows(db: $0).read(digest, of: document, from: offset, count: count) }
        }
    }
}
