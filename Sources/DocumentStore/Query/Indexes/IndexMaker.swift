import DocumentQuery
import DocumentValues
import GRDB

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

    /// Finds what is wrong with a definition before anything is changed.
    func prepare(_ definition: IndexDefinition) throws -> (IndexRecord) -> [String] {
        switch definition {
        case .value(let expressions, let condition):
            let index = try IndexTranslator.valueIndex(
                expressions, condition: condition, collection: collectionName)
            return { record in
                let columns = index.expressions.map { "(\($0))" }.joined(separator: ", ")
                let rest = index.condition.map { " WHERE \($0)" } ?? ""
                return ["CREATE INDEX \(record.quotedName) ON documents_\(collection) (\(columns))\(rest)"]
            }
        case .array(let path, let expressions):
            let index = try IndexTranslator.arrayIndex(path: path, expressions: expressions)
            return { statements(index, record: $0) }
        }
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
            "INSERT INTO \(table) SELECT d.sequence, \(values) FROM \(documents) AS d JOIN \(index.elements("d"))",
            "CREATE TRIGGER \(table)_insert AFTER INSERT ON \(documents) BEGIN \(fill("new")); END",
            """
            CREATE TRIGGER \(table)_update AFTER UPDATE OF sequence, body ON \(documents) \
            BEGIN \(clear) \(fill("new")); END
            """,
            "CREATE TRIGGER \(table)_delete AFTER DELETE ON \(documents) BEGIN \(clear) END",
        ]
    }
}
