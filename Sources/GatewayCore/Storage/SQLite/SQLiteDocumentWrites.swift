import DocumentValues
import GRDB
import SQLiteStorage

/// The rows of documents and their channels' entries, written in the transaction of a connection.
struct SQLiteDocumentWrites: DocumentWrites {
    let transaction: SQLiteTransaction

    private var db: Database { transaction.db }

    func put(_ changes: [DocumentRowChange], in collection: Int64) throws -> [Int64] {
        let feed = SQLiteFeedWrites(transaction: transaction, collection: collection)
        var round = FeedRound()
        // Most documents of a round are new: their statement is looked up once.
        var insertion: RawStatement?
        return try changes.map { change in
            let number: Int64
            switch change.target {
            case .new(let id):
                let statement = try insertion ?? RawStatement(Self.insertion, db)
                insertion = statement
                number = try insert(change.row, id: id, in: collection, by: statement)
            case .row(let known, _):
                number = known
                try replace(number: number, with: change.row)
            }
            try feed.store(change, number: number, in: &round)
            return number
        }
    }

    private static let insertion = """
        INSERT INTO documents
        (sequence, revision, is_deleted, channels, tree, expires, grants, attachments, body, collection, id)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        """

    private func insert(
        _ row: DocumentRow, id: String, in collection: Int64, by statement: RawStatement
    ) throws -> Int64 {
        statement.bind(row)
        statement.bind(10, to: collection)
        statement.bind(11, to: id)
        try statement.run()
        return db.lastInsertedRowID
    }

    private func replace(number: Int64, with row: DocumentRow) throws {
        let statement = try RawStatement(
            """
            UPDATE documents SET sequence = ?1, revision = ?2, is_deleted = ?3, channels = ?4, tree = ?5,
            expires = ?6, grants = ?7, attachments = ?8, body = ?9 WHERE number = ?10
            """, db)
        statement.bind(row)
        statement.bind(10, to: number)
        try statement.run()
    }

    func replaceAccess(by change: DocumentRowChange, in collection: Int64) throws {
        guard case .row(let number, _) = change.target else {
            throw GatewayError.noAccessToReplace
        }
        let row = change.row
        let statement = try RawStatement(
            "UPDATE documents SET sequence = ?, channels = ?, grants = ?, expires = ? WHERE number = ?", db)
        statement.bind(1, to: row.sequence)
        statement.bind(2, to: row.channels.text)
        statement.bind(3, to: row.grantsText)
        statement.bind(4, to: row.expires)
        statement.bind(5, to: number)
        try statement.run()
        var round = FeedRound()
        try SQLiteFeedWrites(transaction: transaction, collection: collection)
            .store(change, number: number, in: &round)
    }

    func delete(number: Int64) throws {
        let statement = try RawStatement("DELETE FROM documents WHERE number = ?", db)
        statement.bind(1, to: number)
        try statement.run()
    }
}

extension DocumentRow {
    fileprivate var grantsText: String? { grants.isEmpty ? nil : grants.text }
}

extension RawStatement {
    fileprivate func bind(_ row: DocumentRow) {
        bind(1, to: row.sequence)
        bind(2, to: row.revision.description)
        bind(3, to: row.isDeleted)
        bind(4, to: row.channels.text)
        bind(5, to: row.tree.text)
        bind(6, to: row.expires)
        bind(7, to: row.grantsText)
        bind(8, to: row.attachments?.text)
        bindBlob(9, to: row.body)
    }
}
