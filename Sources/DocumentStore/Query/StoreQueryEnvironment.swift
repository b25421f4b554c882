import DocumentQuery
import DocumentValues
import GRDB

/// The look-ups of a translation in an open database.
struct StoreQueryEnvironment: QueryEnvironment {
    let db: GRDB.Database
    let databaseName: String

    func collection(_ name: CollectionName) throws -> Int64? { try CollectionCatalog.find(name, db)?.id }

    func collectionNames() throws -> [CollectionName] { try CollectionCatalog.all(db).map(\.name) }

    func fullTextIndex(_ name: String, collection: Int64) throws -> FullTextTable? {
        for index in try IndexCatalog.all(of: collection, db) where index.name.isExactly(name) {
            switch index.definition {
            case .fullText(let expressions, _, let language, let ignoresAccents):
                // Its condition does not matter here.
                let translated = try IndexTranslator.fullTextIndex(
                    expressions, condition: nil, collection: .default)
                return FullTextTable(
                    table: index.table, settings: WordSettings(language: language, ignoresAccents: ignoresAccents),
                    properties: translated.names)
            case .value, .array: return nil
            case nil:
                throw StoreError(
                    .corruptData, message: "The definition of an index cannot be read.", context: ["index": name],
                    hint: "Create the index again, or update this program.")
            }
        }
        return nil
    }

    func arrayIndexes(collection: Int64) throws -> [ArrayIndexTable] {
        try IndexCatalog.all(of: collection, db).compactMap { index in
            switch index.definition {
            case .array(let path, let expressions):
                do {
                    return ArrayIndexTable(
                        table: index.table,
                        index: try IndexTranslator.arrayIndex(path: path, expressions: expressions))
                } catch is QueryError {
                    // The definition is damaged. The rows are the same without the index.
                    return nil
                }
            case .value, .fullText, nil: return nil
            }
        }
    }

    func valueIndexes(collection: Int64) throws -> [TranslatedValueIndex] {
        try IndexCatalog.all(of: collection, db).compactMap { index in
            switch index.definition {
            case .value(let expressions, let condition):
                // As with arrays.
                do {
                    return try IndexTranslator.valueIndex(expressions, condition: condition, collection: .default)
                } catch is QueryError { return nil }
            case .array, .fullText, nil: return nil
            }
        }
    }
}
