import DocumentQuery
import DocumentValues
import GRDB

/// What a translation looks up in an open database.
struct StoreQueryEnvironment: QueryEnvironment {
    let db: GRDB.Database
    let databaseName: String

    func collection(_ name: CollectionName) throws -> Int64? { try CollectionCatalog.find(name, db)?.id }

    func fullTextIndex(_ name: String, collection: Int64) throws -> FullTextTable? { nil }

    func arrayIndexes(collection: Int64) throws -> [ArrayIndexTable] {
        try IndexCatalog.all(of: collection, db).compactMap { index in
            switch index.definition {
            case .array(let path, let expressions):
                ArrayIndexTable(
                    table: index.table, index: try IndexTranslator.arrayIndex(path: path, expressions: expressions))
            case .value: nil
            }
        }
    }
}
