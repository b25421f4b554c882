import DocumentQuery
import DocumentValues
import GRDB
import SQLiteStorage

/// Writes the statements that make an index.
struct IndexMaker {
    let db: GRDB.Database
    let collection: Int64
    let collectionName: CollectionName

    static func check(_ name: String) throws {
        guard !name.isEmpty else { throw StoreError(.invalidParameter, message: "Index name must not be empty") }
        let isTaken = ["documents_", "index_", "sqlite_"].contains { name.lowercased().hasPrefix($0) }
        guard !isTaken, !name.utf8.contains(UInt8(ascii: "\"")), !name.utf8.contains(0) else {
            throw StoreError(
                .invalidParameter, message: "An index cannot have this name.", context: ["index": name],
                hint: "Names have no quotation marks and do not begin with documents_, index_ or sqlite_.")
        }
    }

    /// Tables and indexes share their names in SQLite, and some are the store's own.
    func checkIsFree(_ name: String) throws {
        let query = try RawStatement(
            "SELECT 1 FROM sqlite_master WHERE name = ?1 COLLATE NOCASE AND type <> 'trigger'", db)
        query.bind(1, to: name)
        guard try query.first({ _ in true }) == nil else {
            throw StoreError(
                .invalidParameter, message: "An index cannot have this name.", context: ["index": name],
                hint: "The database uses it itself.")
        }
    }

    /// Refuses a definition that a new index may not have; an older index with it is kept.
    static func check(_ definition: IndexDefinition) throws {
        switch definition {
        case .value(let expressions, let condition), .fullText(let expressions, let condition, _, _):
            try IndexTranslator.refuseUnfit(expressions, condition: condition)
        case .array(_, let expressions):
            if let expressions { try IndexTranslator.refuseUnfit(expressions, condition: nil) }
        }
    }

    /// Finds errors of a definition before anything is changed.
    func prepare(_ definition: IndexDefinition) throws -> (IndexRecord) -> [String] {
        switch definition {
        case .value(let expressions, let condition):
            let index = try IndexTranslator.valueIndex(
                expressions, condition: condition, collection: collectionName)
            return { record in
                let columns = index.expressions.map { "(\($0))" }.joined(separator: ", ")
                let rest = index.condition.map { " WHERE \($0)" } ?? ""
                let creation = "CREATE INDEX \(record.quotedName) ON documents_\(collection) (\(columns))\(rest)"
                // Otherwise what SQLite cannot evaluate would fail with each document that is saved.
                let trial = ConditionCall.trial(of: index.expressions + [index.condition].compactMap { $0 })
                return [trial, creation].compactMap { $0 }
            }
        case .array(let path, let expressions):
            let index = try IndexTranslator.arrayIndex(path: path, expressions: expressions)
            return { statements(index, record: $0) }
        case .fullText(let expressions, let condition, let language, let ignoresAccents):
            let index = try IndexTranslator.fullTextIndex(
                expressions, condition: condition, collection: collectionName)
            let settings = WordSettings(language: language, ignoresAccents: ignoresAccents)
            return { statements(index, settings: settings, record: $0) }
        }
    }

    /// Makes the content of an index that there is; one that cannot be read is left as it is.
    func makeAgain(_ index: IndexRecord) throws {
        guard let definition = index.definition else { return }
        let statements = try prepare(definition)(index)
        try IndexCatalog.removeContent(of: index, db)
        for statement in statements { try db.execute(sql: statement) }
    }

    /// A table of FTS5 that has the words without the texts. Triggers keep it current: to remove an entry, they have to
    /// pass the same texts again.
    private func statements(
        _ index: TranslatedFullTextIndex, settings: WordSettings, record: IndexRecord
    ) -> [String] {
        let (table, documents) = (record.table, "documents_\(collection)")
        // A condition may use META(), which changes without the body.
        let changes = index.hasCondition ? "sequence, body, flags, expiration, revision" : "sequence, body"
        let columns = index.properties.indices.map { "c\($0)" }.joined(separator: ", ")
        func values(_ row: String) -> String {
            "\(row).sequence, \(index.texts(of: row).joined(separator: ", "))"
        }
        let fill = "INSERT INTO \(table) (rowid, \(columns)) SELECT \(values("new")) WHERE \(index.condition("new"));"
        let clear = """
            INSERT INTO \(table) (\(table), rowid, \(columns)) SELECT 'delete', \(values("old")) \
            WHERE \(index.condition("old"));
            """
        return [
            """
            CREATE VIRTUAL TABLE \(table) USING fts5(\(columns), content = '', columnsize = 0, \
            tokenize = '\(FullTextTokenizer.name) \(settings.text)')
            """
        ] + FullTextDeletion.statements(table) + [
            """
            INSERT INTO \(table) (rowid, \(columns)) SELECT \(values("d")) FROM \(documents) AS d \
            WHERE \(index.condition("d"))
            """,
            "CREATE TRIGGER \(table)_insert AFTER INSERT ON \(documents) BEGIN \(fill) END",
            """
            CREATE TRIGGER \(table)_update AFTER UPDATE OF \(changes) ON \(documents) \
            BEGIN \(clear) \(fill) END
            """,
            "CREATE TRIGGER \(table)_delete AFTER DELETE ON \(documents) BEGIN \(clear) END",
        ]
    }

    /// A query of the rows that the table of an array index has to have.
    func elements(of index: TranslatedArrayIndex) -> String {
        let values = index.expressions.joined(separator: ", ")
        return "SELECT d.sequence, \(values) FROM documents_\(collection) AS d JOIN \(index.elements("d"))"
    }

    /// A table of the elements with the sequences of their documents, which triggers keep up.
    private func statements(_ index: TranslatedArrayIndex, record: IndexRecord) -> [String] {
        let (table, documents) = (record.table, "documents_\(collection)")
        let columns = index.expressions.indices.map { "c\($0)" }
        let values = index.expressions.joined(separator: ", ")
        func fill(_ row: String) -> String {
            "INSERT INTO \(table) SELECT \(row).sequence, \(values) FROM \(index.elements(row))"
        }
        let clear = "DELETE FROM \(table) WHERE document = old.sequence;"
        return [
            "CREATE TABLE \(table) (document INTEGER NOT NULL, \(columns.joined(separator: ", ")))",
            "CREATE INDEX \(record.quotedName) ON \(table) (\(columns.joined(separator: ", ")), document)",
            "CREATE INDEX \(table)_documents ON \(table) (document)",
            "INSERT INTO \(table) \(elements(of: index))",
            "CREATE TRIGGER \(table)_insert AFTER INSERT ON \(documents) BEGIN \(fill("new")); END",
            """
            CREATE TRIGGER \(table)_update AFTER UPDATE OF sequence, body ON \(documents) \
            BEGIN \(clear) \(fill("new")); END
            """,
            "CREATE TRIGGER \(table)_delete AFTER DELETE ON \(documents) BEGIN \(clear) END",
        ]
    }
}
