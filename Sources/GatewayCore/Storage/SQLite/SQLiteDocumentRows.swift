import AccessControl
import DocumentValues
import GRDB
import SQLiteStorage

/// Documents, read from a connection.
struct SQLiteDocumentRows: DocumentRows {
    let db: Database

    private static let columns = "\(columnsBesideBody), body"
    private static let columnsWithoutBody = "\(columnsBesideBody), x''"
    private static let columnsBesideBody =
        "number, id, sequence, revision, is_deleted, channels, tree, expires, grants, attachments"

    private static let columnsWithShortBody = "\(columnsBesideBody), iif(length(body) <= ?4, body, x'')"

    private static func columns(_ bodies: BodyReading) -> String {
        switch bodies {
        case .all: columns
        case .none: columnsWithoutBody
        case .upTo: columnsWithShortBody
        }
    }

    func find(_ id: String, in collection: Int64, bodies: BodyReading) throws -> StoredDocument? {
        let statement = try RawStatement(
            "SELECT \(Self.columns(bodies)) FROM documents WHERE collection = ?1 AND id = ?2", db)
        statement.bind(1, to: collection)
        statement.bind(2, to: id)
        statement.bind(bodies)
        return try statement.first { try StoredDocument($0) }
    }

    func forEachState(
        of ids: [String], in collection: Int64, _ body: (Int, DocumentState?) throws -> Void
    ) throws {
        let statement = try RawStatement("SELECT \(Self.columns) FROM documents WHERE collection = ? AND id = ?", db)
        let branches = SQLiteBranchRows(db: db)
        statement.bind(1, to: collection)
        for (index, id) in ids.enumerated() {
            statement.bind(2, to: id)
            let stored = try statement.first { try StoredDocument($0) }
            try body(index, stored.map { DocumentState(stored: $0, branches: try branches.all(of: $0)) })
        }
    }

    func find(number: Int64) throws -> StoredDocument? {
        let statement = try RawStatement("SELECT \(Self.columns) FROM documents WHERE number = ?", db)
        statement.bind(1, to: number)
        return try statement.first { try StoredDocument($0) }
    }

    func page(in collection: Int64, after number: Int64, limit: Int) throws -> [StoredDocument] {
        // The `+` keeps SQLite from using the index of collections: with it, SQLite would sort all remaining rows for
        // each page.
        let statement = try RawStatement(
            "SELECT \(Self.columns) FROM documents WHERE number > ? AND +collection = ? ORDER BY number LIMIT ?", db)
        statement.bind(1, to: number)
        statement.bind(2, to: collection)
        statement.bind(3, to: Int64(limit))
        return try statement.all { try StoredDocument($0) }
    }

    func forEach(
        in collection: Int64, from start: String?, through end: String?, bodies: BodyReading,
        _ body: (StoredDocument) async throws -> Bool
    ) async throws {
        // A cached statement is one for all: if `body` called this again, it would reset that of its caller.
        let statement = try RawStatement(
            uncached: """
                SELECT \(Self.columns(bodies)) FROM documents
                WHERE collection = ?1 AND id >= ?2 AND (?3 IS NULL OR id <= ?3) ORDER BY id
                """, db)
        defer { statement.reset() }
        statement.bind(1, to: collection)
        statement.bind(2, to: start ?? "")
        statement.bind(3, to: end)
        statement.bind(bodies)
        while try statement.step() {
            guard try await body(StoredDocument(statement)) else { return }
        }
    }

    // MARK: Parts of a row

    func isEmpty(collection: Int64) throws -> Bool {
        let statement = try RawStatement("SELECT 1 FROM documents WHERE collection = ? LIMIT 1", db)
        statement.bind(1, to: collection)
        return try statement.first { _ in false } ?? true
    }

    /// Bytes of each document, with leaves that are not current; `nil` if there is no document. That takes far less time than
    /// reading the documents: SQLite knows the lengths of bodies without reading them, and attachments, channels and
    /// revisions are quickly counted.
    func lengths(of ids: [String], in collection: Int64) throws -> [Int?] {
        let statement = try RawStatement(Self.length, db)
        statement.bind(1, to: collection)
        return try ids.map { id in
            statement.bind(2, to: id)
            return try statement.first { Int($0.int64(0)) }
        }
    }

    /// Made once: each write of a few documents asks for it.
    private static let length: String = {
        func length(_ column: String) -> String { "coalesce(length(CAST(\(column) AS BLOB)), 0)" }
        let others = ["channels", "tree", "grants", "attachments"].map(length).joined(separator: " + ")
        let ofBranch = "length(body) + \(length("channels")) + \(length("attachments"))"
        return """
            SELECT length(body) + \(others)
                + (SELECT coalesce(sum(\(ofBranch)), 0) FROM branches WHERE document = documents.number)
            FROM documents WHERE collection = ? AND id = ?
            """
    }()

    func number(of id: String, in collection: Int64) throws -> Int64? {
        let statement = try RawStatement("SELECT number FROM documents WHERE collection = ? AND id = ?", db)
        statement.bind(1, to: collection)
        statement.bind(2, to: id)
        return try statement.first { $0.int64(0) }
    }

    func sequences(of ids: [String], in collection: Int64) throws -> [UInt64?] {
        let statement = try RawStatement("SELECT sequence FROM documents WHERE collection = ? AND id = ?", db)
        statement.bind(1, to: collection)
        return try ids.map { id in
            statement.bind(2, to: id)
            return try statement.first { $0.uint64(0) }
        }
    }

    func channels(of numbers: [Int64]) throws -> [Int64: DocumentChannels] {
        let statement = try RawStatement("SELECT channels FROM documents WHERE number = ?", db)
        var channels: [Int64: DocumentChannels] = [:]
        for number in numbers {
            statement.bind(1, to: number)
            channels[number] = try statement.first { try DocumentChannels(text: $0.text(0)) }
        }
        return channels
    }

    func forEachTree(
        of ids: [String], in collection: Int64, _ body: (Int, RevisionTree?) throws -> Void
    ) throws {
        let statement = try RawStatement("SELECT tree FROM documents WHERE collection = ? AND id = ?", db)
        statement.bind(1, to: collection)
        for (index, id) in ids.enumerated() {
            statement.bind(2, to: id)
            try body(index, statement.first { try RevisionTree(stored: $0.text(0)) })
        }
    }

    func heads(of ids: [String], in collection: Int64) throws -> [DocumentHead?] {
        let statement = try RawStatement(
            "SELECT revision, is_deleted FROM documents WHERE collection = ? AND id = ?", db)
        statement.bind(1, to: collection)
        return try ids.map { id in
            statement.bind(2, to: id)
            return try statement.first {
                DocumentHead(revision: try RevisionID(stored: $0.text(0)), isDeleted: $0.bool(1))
            }
        }
    }

    // MARK: Expiry

    func due(by time: Int64, after previous: DueDocument?, limit: Int) throws -> [DueDocument] {
        let statement = try RawStatement(
            """
            SELECT expires, number, collection FROM documents
            WHERE expires <= ? AND (expires, number) > (?, ?) ORDER BY expires, number LIMIT ?
            """, db)
        statement.bind(1, to: time)
        statement.bind(2, to: previous?.expires ?? Int64.min)
        statement.bind(3, to: previous?.number ?? Int64.min)
        statement.bind(4, to: Int64(limit))
        return try statement.all {
            DueDocument(expires: $0.int64(0), number: $0.int64(1), collection: $0.int64(2))
        }
    }

    func nextExpiry() throws -> Int64? {
        let statement = try RawStatement(
            "SELECT expires FROM documents WHERE expires IS NOT NULL ORDER BY expires LIMIT 1", db)
        return try statement.first { $0.int64(0) }
    }
}

extension RawStatement {
    /// The limit of `columnsWithShortBody`.
    fileprivate func bind(_ bodies: BodyReading) {
        switch bodies {
        case .all, .none: break
        case .upTo(let limit): bind(4, to: Int64(limit))
        }
    }
}

extension StoredDocument {
    fileprivate init(_ row: RawStatement) throws {
        self.init(number: row.int64(0), id: row.text(1), row: try DocumentRow(row))
    }
}

extension DocumentRow {
    /// From the columns behind the number and the id.
    fileprivate init(_ row: RawStatement) throws {
        self.init(
            sequence: row.uint64(2), revision: try RevisionID(stored: row.text(3)),
            isDeleted: row.bool(4), channels: try DocumentChannels(text: row.text(5)),
            tree: try RevisionTree(stored: row.text(6)), expires: row.isNull(7) ? nil : row.int64(7),
            grants: try row.textOrNil(8).map { try DocumentGrants(text: $0) } ?? DocumentGrants(),
            attachments: try row.textOrNil(9).map { try StoredAttachments(stored: $0) }, body: row.bytes(10))
    }
}
