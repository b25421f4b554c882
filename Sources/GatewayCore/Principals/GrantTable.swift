import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

/// What users and roles hold, kept up to date grant by grant: the cost of a change does not depend on how many there are.
struct GrantTable {
    let transaction: WriteTransaction
    /// The configured collections by their numbers.
    let collections: [Int64: CollectionName]
    private var db: Database { transaction.db }

    init(_ transaction: WriteTransaction, collections: [Int64: CollectionName]) {
        self.transaction = transaction
        self.collections = collections
    }

    /// One channel of one collection, or (with collection 0) one role.
    struct Item: Hashable {
        let kind: GrantKind
        let collection: Int64
        let name: Name

        static func channel(_ name: Name, in collection: Int64) -> Item {
            Item(kind: .channel, collection: collection, name: name)
        }

        static func role(_ name: Name) -> Item { Item(kind: .role, collection: 0, name: name) }
    }

    /// Takes over what a document grants now, instead of what it granted.
    func replaceGrants(
        ofDocument number: Int64, in collection: Int64, from old: DocumentGrants, to new: DocumentGrants,
        at sequence: UInt64
    ) throws {
        guard old != new else { return }
        let (before, after) = (old.all, new.all)
        for grant in before.subtracting(after) { try remove(grant, number, collection) }
        for grant in after.subtracting(before) { try insert(grant, number, collection) }
        for (key, grants) in Dictionary(grouping: before.symmetricDifference(after), by: \.principal) {
            // Grants to those who do not exist wait for their creation.
            guard let principal = try StoredPrincipal.fetch(key, db), !principal.isDeleted else { continue }
            try settle(principal, Set(grants.map { Self.item($0, collection) }), at: sequence)
        }
    }

    /// Why a document may not grant this instead of what it grants now: somebody would have too much by all documents
    /// together. Taking grants away is always allowed.
    func excess(of new: DocumentGrants, over old: DocumentGrants) throws -> GatewayError? {
        let (before, after) = (old.all, new.all)
        var changes: [Name: Int] = [:]
        for grant in after.subtracting(before) { changes[grant.principal, default: 0] += 1 }
        for grant in before.subtracting(after) { changes[grant.principal, default: 0] -= 1 }
        for (principal, change) in changes.sorted(by: { $0.key < $1.key }) where change > 0 {
            let statement = try RawStatement("SELECT count FROM grant_counts WHERE principal = ?", db)
            statement.bind(1, principal)
            let count = Int(try statement.first { $0.int64(0) } ?? 0) + change
            guard count > AccessLimits.grantsPerPrincipal else { continue }
            return GatewayError(
                413,
                "Documents would grant \(count) channels and roles to \(principal); "
                    + "\(AccessLimits.grantsPerPrincipal) are allowed. Grant fewer, wider channels, or a role that has them"
            )
        }
        return nil
    }

    /// Brings what a principal holds of these in line with its grants.
    func settle(_ principal: StoredPrincipal, _ items: Set<Item>, at sequence: UInt64) throws {
        for item in items {
            let isGranted =
                try !principal.isDeleted && (isExplicit(item, principal) || isGrantedByDocument(item, principal.key))
            switch GrantChange(since: try since(item, principal.key), isGranted: isGranted, at: sequence) {
            case .none: break
            case .begins(let start): try begin(item, principal.key, start)
            case .ends(let span): try end(item, principal.key, span)
            }
        }
        transaction.effects.principals.insert(principal.key)
    }

    /// Everything that the principal holds, or is granted.
    func everyItem(of principal: StoredPrincipal) throws -> Set<Item> {
        var items = Set(principal.givenRoles.map { Item.role($0) })
        for (number, collection) in collections {
            for name in principal.givenChannels(in: collection) { items.insert(.channel(name, in: number)) }
        }
        for table in ["holdings", "grants"] {
            let statement = try RawStatement(
                "SELECT DISTINCT kind, collection, name FROM \(table) WHERE principal = ?", db)
            statement.bind(1, principal.key)
            try statement.forEachRow { row in
                guard let kind = GrantKind(rawValue: row.text(0)) else { return }
                items.insert(Item(kind: kind, collection: row.int64(1), name: row.name(2)))
            }
        }
        return items
    }

    // MARK: - Rows

    private func isExplicit(_ item: Item, _ principal: StoredPrincipal) -> Bool {
        switch item.kind {
        case .role: principal.givenRoles.contains(item.name)
        case .channel:
            collections[item.collection].map { principal.givenChannels(in: $0).contains(item.name) } ?? false
        }
    }

    private func isGrantedByDocument(_ item: Item, _ principal: Name) throws -> Bool {
        let statement = try RawStatement(
            "SELECT 1 FROM grants WHERE principal = ? AND kind = ? AND collection = ? AND name = ? LIMIT 1", db)
        bind(statement, item, principal)
        return try statement.first { _ in true } ?? false
    }

    private func since(_ item: Item, _ principal: Name) throws -> UInt64? {
        let statement = try RawStatement(
            """
            SELECT start FROM holdings WHERE principal = ? AND kind = ? AND collection = ? AND name = ? AND "end" = 0
            """, db)
        bind(statement, item, principal)
        return try statement.first { $0.uint64(0) }
    }

    private func begin(_ item: Item, _ principal: Name, _ start: UInt64) throws {
        let statement = try RawStatement("INSERT OR REPLACE INTO holdings VALUES (?, ?, ?, ?, ?, 0)", db)
        bind(statement, item, principal)
        statement.bind(5, start)
        try statement.run()
    }

    private func end(_ item: Item, _ principal: Name, _ span: SequenceSpan) throws {
        let removal = try RawStatement(
            "DELETE FROM holdings WHERE principal = ? AND kind = ? AND collection = ? AND name = ?", db)
        var history = GrantHistory([item.name: try ended(item, principal)])
        history.append(span, of: item.name)
        bind(removal, item, principal)
        try removal.run()
        for span in history[item.name] {
            let statement = try RawStatement("INSERT OR REPLACE INTO holdings VALUES (?, ?, ?, ?, ?, ?)", db)
            bind(statement, item, principal)
            statement.bind(5, span.start)
            statement.bind(6, span.end)
            try statement.run()
        }
    }

    private func ended(_ item: Item, _ principal: Name) throws -> [SequenceSpan] {
        let statement = try RawStatement(
            """
            SELECT start, "end" FROM holdings
            WHERE principal = ? AND kind = ? AND collection = ? AND name = ? AND "end" > 0 ORDER BY "end"
            """, db)
        bind(statement, item, principal)
        var spans: [SequenceSpan] = []
        try statement.forEachRow { spans.append(SequenceSpan(start: $0.uint64(0), end: $0.uint64(1))) }
        return spans
    }

    private func bind(_ statement: RawStatement, _ item: Item, _ principal: Name) {
        statement.bind(1, principal)
        statement.bind(2, item.kind.rawValue)
        statement.bind(3, item.collection)
        statement.bind(4, item.name)
    }

    private static func item(_ grant: DocumentGrants.Grant, _ collection: Int64) -> Item {
        switch grant.kind {
        case .channel: .channel(grant.name, in: collection)
        case .role: .role(grant.name)
        }
    }

    private func insert(_ grant: DocumentGrants.Grant, _ document: Int64, _ collection: Int64) throws {
        let statement = try RawStatement(
            """
            INSERT OR IGNORE INTO grants (principal, kind, collection, name, document) VALUES (?, ?, ?, ?, ?)
            """, db)
        bind(statement, Self.item(grant, collection), grant.principal)
        statement.bind(5, document)
        try statement.run()
    }

    private func remove(_ grant: DocumentGrants.Grant, _ document: Int64, _ collection: Int64) throws {
        let statement = try RawStatement(
            "DELETE FROM grants WHERE principal = ? AND kind = ? AND collection = ? AND name = ? AND document = ?", db)
        bind(statement, Self.item(grant, collection), grant.principal)
        statement.bind(5, document)
        try statement.run()
    }
}
