import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

/// Grants, and the items that principals hold, read from a connection.
struct SQLiteGrantRows: GrantRows {
    let db: Database

    /// How many channels and roles all documents together grant to a principal.
    func count(to principal: Name) throws -> Int {
        let statement = try RawStatement("SELECT sum(count) FROM grant_shares WHERE principal = ?", db)
        statement.bind(1, to: principal)
        return Int(try statement.first { $0.int64(0) } ?? 0)
    }

    /// How many of those grants come from documents that `giver` wrote, and how many stays began by them.
    func share(of giver: Name, to principal: Name) throws -> (count: Int, begun: Int) {
        let statement = try RawStatement(
            "SELECT count, begun FROM grant_shares WHERE principal = ? AND giver = ?", db)
        statement.bind(1, to: principal)
        statement.bind(2, to: giver)
        return try statement.first { (Int($0.int64(0)), Int($0.int64(1))) } ?? (0, 0)
    }

    /// The writer of the document that grants the item; `nil` if it does not grant it.
    func giver(of item: GrantItem, to principal: Name, by document: Int64) throws -> Name? {
        let statement = try RawStatement(
            "SELECT giver FROM grants WHERE principal = ? AND kind = ? AND collection = ? AND name = ? AND document = ?",
            db)
        statement.bind(item, of: principal)
        statement.bind(5, to: document)
        return try statement.first { $0.name(0) }
    }

    /// The number of a principal's stays in channels and roles, present and ended, up to a limit.
    func stays(of principal: Name, upTo limit: Int) throws -> Int {
        let statement = try RawStatement(
            "SELECT count(*) FROM (SELECT 1 FROM holdings WHERE principal = ? LIMIT ?)", db)
        statement.bind(1, to: principal)
        statement.bind(2, to: Int64(limit))
        return Int(try statement.first { $0.int64(0) } ?? 0)
    }

    func isGrantedByDocument(_ item: GrantItem, to principal: Name) throws -> Bool {
        let statement = try RawStatement(
            "SELECT 1 FROM grants WHERE principal = ? AND kind = ? AND collection = ? AND name = ? LIMIT 1", db)
        statement.bind(item, of: principal)
        return try statement.first { _ in true } ?? false
    }

    /// The sequence since which a principal holds the item; `nil` if it does not.
    func since(_ item: GrantItem, of principal: Name) throws -> UInt64? {
        let statement = try RawStatement(
            """
            SELECT start FROM holdings WHERE principal = ? AND kind = ? AND collection = ? AND name = ? AND "end" = 0
            """, db)
        statement.bind(item, of: principal)
        return try statement.first { $0.uint64(0) }
    }

    /// The spans in which a principal held the item before, the earliest first.
    func ended(_ item: GrantItem, of principal: Name) throws -> [SequenceSpan] {
        let statement = try RawStatement(
            """
            SELECT start, "end" FROM holdings
            WHERE principal = ? AND kind = ? AND collection = ? AND name = ? AND "end" > 0 ORDER BY "end"
            """, db)
        statement.bind(item, of: principal)
        return try statement.all { SequenceSpan(start: $0.uint64(0), end: $0.uint64(1)) }
    }

    /// All items that a principal holds or held, or that documents grant to it.
    func items(of principal: Name) throws -> Set<GrantItem> {
        try items("holdings WHERE principal = ?", of: principal).union(granted(to: principal))
    }

    /// All items that a principal holds now.
    func held(by principal: Name) throws -> Set<GrantItem> {
        try items(#"holdings WHERE principal = ? AND "end" = 0"#, of: principal)
    }

    /// All items that documents grant to a principal.
    func granted(to principal: Name) throws -> Set<GrantItem> {
        try items("grants WHERE principal = ?", of: principal)
    }

    private func items(_ source: String, of principal: Name) throws -> Set<GrantItem> {
        let statement = try RawStatement("SELECT DISTINCT kind, collection, name FROM \(source)", db)
        statement.bind(1, to: principal)
        var items: Set<GrantItem> = []
        try statement.forEachRow { items.insert(try GrantItem($0)) }
        return items
    }

    /// Hands out all items that a principal holds or held.
    ///
    /// - Parameter body: gets the first sequence, and the last one if the item is no longer held.
    func forEachHolding(of principal: Name, _ body: (GrantItem, _ start: UInt64, _ end: UInt64?) -> Void) throws {
        let statement = try RawStatement(
            #"SELECT kind, collection, name, start, "end" FROM holdings WHERE principal = ?"#, db)
        statement.bind(1, to: principal)
        try statement.forEachRow { row in
            let end = row.uint64(4)
            body(try GrantItem(row), row.uint64(3), end == 0 ? nil : end)
        }
    }
}

/// Writes grants, and the items that principals hold, in the transaction of a connection.
///
/// No statement here changes several rows and can fail after the first: for such a statement SQLite keeps a separate
/// journal, and the time for truncating that grows with all changes of the transaction.
struct SQLiteGrantWrites: GrantWrites {
    let db: Database

    func insert(_ item: GrantItem, to principal: Name, by document: Int64, giver: Name) throws {
        let statement = try RawStatement(
            """
            INSERT OR IGNORE INTO grants (principal, kind, collection, name, document, giver) VALUES (?, ?, ?, ?, ?, ?)
            """, db)
        statement.bind(item, of: principal)
        statement.bind(5, to: document)
        statement.bind(6, to: giver)
        try statement.run()
    }

    func delete(_ item: GrantItem, to principal: Name, by document: Int64) throws {
        let statement = try RawStatement(
            "DELETE FROM grants WHERE principal = ? AND kind = ? AND collection = ? AND name = ? AND document = ?", db)
        statement.bind(item, of: principal)
        statement.bind(5, to: document)
        try statement.run()
    }

    /// Adds to the numbers of `share`: grants to a principal by documents that `giver` wrote, and stays that began by
    /// them.
    func count(_ change: Int, begun: Int, by giver: Name, to principal: Name) throws {
        let statement = try RawStatement(
            """
            INSERT INTO grant_shares VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET count = count + ?3, begun = begun + ?4
            """, db)
        statement.bind(1, to: principal)
        statement.bind(2, to: giver)
        statement.bind(3, to: Int64(change))
        statement.bind(4, to: Int64(begun))
        try statement.run()
        let removal = try RawStatement(
            "DELETE FROM grant_shares WHERE principal = ? AND giver = ? AND count <= 0 AND begun <= 0", db)
        removal.bind(1, to: principal)
        removal.bind(2, to: giver)
        try removal.run()
    }

    /// The principal holds the item from a sequence on.
    func begin(_ item: GrantItem, of principal: Name, at start: UInt64) throws {
        try insert(item, of: principal, from: start, until: 0)
    }

    private func insert(_ item: GrantItem, of principal: Name, from start: UInt64, until end: UInt64) throws {
        let statement = try RawStatement(
            "INSERT INTO holdings VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET start = excluded.start", db)
        statement.bind(item, of: principal)
        statement.bind(5, to: start)
        statement.bind(6, to: end)
        try statement.run()
    }

    /// The principal does not hold the item any more, but did in these spans.
    func end(_ item: GrantItem, of principal: Name, history: [SequenceSpan]) throws {
        let removal = try RawStatement(
            "DELETE FROM holdings WHERE principal = ? AND kind = ? AND collection = ? AND name = ?", db)
        removal.bind(item, of: principal)
        try removal.run()
        for span in history { try insert(item, of: principal, from: span.start, until: span.end) }
    }
}

extension GrantItem {
    /// Reads the kind, the collection and the name.
    fileprivate init(_ row: RawStatement) throws(GatewayError) {
        guard let kind = GrantKind(rawValue: row.text(0)) else {
            throw GatewayError.damaged("grant")
        }
        self.init(kind: kind, collection: row.int64(1), name: row.name(2))
    }
}

extension RawStatement {
    fileprivate func bind(_ item: GrantItem, of principal: Name) {
        bind(1, to: principal)
        bind(2, to: item.kind.rawValue)
        bind(3, to: item.collection)
        bind(4, to: item.name)
    }
}
