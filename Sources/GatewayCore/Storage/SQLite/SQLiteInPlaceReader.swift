import DocumentValues
import GRDB
import SQLiteStorage

/// Reads a few small rows on the thread of the caller.
final class SQLiteInPlaceReader: InPlaceReader {
    /// Two connections beside the pool. The pool lends its own to tasks, for as long as these need, and a thread that waited
    /// for one of them might be the thread that such a task needs to go on.
    struct Connections {
        /// For tasks.
        let rows: DatabaseQueue
        /// For event loops: here they wait for each other's pieces, but not for the rows of tasks.
        let pieces: DatabaseQueue

        init(to path: String, with settings: ConnectionSettings) throws {
            rows = try settings.reader(path)
            pieces = try settings.reader(path)
        }
    }

    private let connections: Connections
    private let damage: StoreDamage
    private let isOpen: OpenFlag

    init(_ connections: Connections, damage: StoreDamage, isOpen: OpenFlag) {
        self.connections = connections
        self.damage = damage
        self.isOpen = isOpen
    }

    func close() throws {
        try connections.rows.close()
        try connections.pieces.close()
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try read(with: connections.rows, body)
    }

    private func read<Value>(with connection: DatabaseQueue, _ body: (Database) throws -> Value) throws -> Value {
        try connection.unsafeRead { db in
            // Checked when it is this caller's turn: the store may have been closed while the caller waited.
            try isOpen.check()
            return try damage.noting { try db.reading { try body(db) } }
        }
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
            let lengths = try documents.lengths(of: ids, in: collection)
            guard lengths.reduce(0, { $0 + ($1 ?? 0) }) <= bytes else { return .tooLarge }
            var states = [DocumentState?](repeating: nil, count: ids.count)
            // Most written documents are new: there is nothing to read of them.
            let present = ids.indices.filter { lengths[$0] != nil }
            guard !present.isEmpty else { return .found(states) }
            try documents.forEachState(of: present.map { ids[$0] }, in: collection) { states[present[$0]] = $1 }
            return .found(states)
        }
    }

    func page(_ part: ChannelPart) throws -> ReadInPlace<ChannelPage?> {
        try read { db in
            let page = try SQLiteFeedRows(db: db).page(part)
            return (page?.count ?? 0) < part.limit ? .found(page) : .tooLarge
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
        try read(with: connections.pieces) {
            try SQLiteAttachmentRows(db: $0).read(digest, of: document, from: offset, count: count)
        }
    }
}
