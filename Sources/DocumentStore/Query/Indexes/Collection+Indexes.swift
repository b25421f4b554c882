import DocumentQuery
import DocumentValues
import GRDB

extension Collection {
    /// The names of the collection's indexes, in the order of their bytes.
    ///
    /// - Throws: `.notOpen` if the database is closed or the collection deleted.
    public func indexes() throws -> [String] {
        try read { try IndexCatalog.all(of: number, $0.db) }.map(\.name)
    }

    /// Makes an index. One that has the name already is replaced, also where it is of another collection, unless it is the
    /// same: then nothing happens. All documents are read while it is made; afterwards it is kept up with each save.
    ///
    /// - Throws: ``StoreError`` `.invalidQuery` for an expression that cannot be understood or is none of an index, such as
    ///   one with a function that depends on the time zone of the process (`STR_TO_MILLIS`, `STR_TO_UTC`, `STR_TO_TZ`,
    ///   `MILLIS_TO_STR`): another process would not find its rows. `.invalidParameter` for a name that is empty, has a
    ///   quotation mark in it, is reserved by the database, or differs from the name of another index only in upper and
    ///   lower case. `.unsupported` for a configuration of another type; `.notOpen` if the database is closed or the collection
    ///   deleted, and `.busy`.
    public func createIndex(withName name: String, config: any IndexConfiguration) throws {
        try createIndex(withName: name, IndexDefinition(config))
    }

    /// Makes an index from ``IndexBuilder``, otherwise as ``createIndex(withName:config:)``.
    ///
    /// - Throws: `.unsupported` for an index of another type; otherwise the errors of ``createIndex(withName:config:)``.
    public func createIndex(_ index: any Index, name: String) throws {
        switch index {
        case let value as ValueIndex:
            let expressions = try value.items.map { try $0.expression.text }
            try createIndex(
                withName: name, config: ValueIndexConfiguration(expressions, where: try value.condition?.text))
        case let text as FullTextIndex:
            try createIndex(
                withName: name,
                config: FullTextIndexConfiguration(
                    try text.items.map { try $0.expression.text }, ignoreAccents: text.ignoresAccents,
                    language: text.language))
        default:
            throw StoreError(.unsupported, message: "There is no such kind of index.", hint: "Use IndexBuilder.")
        }
    }

    /// The index of that name; `nil` where the collection has none.
    ///
    /// - Throws: `.notOpen` if the database is closed or the collection deleted.
    public func index(withName name: String) throws -> QueryIndex? {
        guard try indexes().contains(where: { $0.isExactly(name) }) else { return nil }
        return QueryIndex(name: name, collection: self)
    }

    /// The names of the collection's indexes with their definitions, in the order of the names' bytes. An index that a
    /// newer version made may have nothing but the name.
    package func indexDefinitions() throws -> [(name: String, definition: JSONObject)] {
        try read { try IndexCatalog.all(of: number, $0.db) }.map { ($0.name, $0.definition?.json ?? [:]) }
    }

    /// Removes an index; nothing happens where the collection has none of that name.
    ///
    /// - Throws: `.notOpen` if the database is closed or the collection deleted, and `.busy`.
    public func deleteIndex(forName name: String) throws {
        let core = try database.core()
        let isDeleted = try core.write { transaction -> Bool in
            guard try CollectionCatalog.find(number, transaction.db) != nil else { throw StoreError.notOpen }
            guard let index = try IndexCatalog.find(name, transaction.db), index.name.isExactly(name),
                index.collection == number
            else { return false }
            try IndexCatalog.remove(index, transaction.db)
            return true
        }
        if isDeleted { LibraryLog.query.info("Deleted the index \(name.withControlsEscaped) of \(collectionName)") }
    }

    private func createIndex(withName name: String, _ definition: IndexDefinition) throws {
        try IndexMaker.check(name)
        let core = try database.core()
        let isMade = try translatingQueryErrors(path: core.path) {
            try core.write { transaction -> Bool in
                let db = transaction.db
                guard try CollectionCatalog.find(number, db) != nil else { throw StoreError.notOpen }
                let maker = IndexMaker(db: db, collection: number, collectionName: collectionName)
                let statements = try maker.prepare(definition)
                if let old = try IndexCatalog.find(name, db) {
                    guard old.name.isExactly(name) else {
                        throw StoreError(
                            .invalidParameter, message: "index \(name) already exists", context: ["index": old.name],
                            hint: "Names of indexes differ by more than case.")
                    }
                    // Names that look alike may differ in bytes, and are then two properties.
                    if old.collection == number, old.definition?.json.bytes == definition.json.bytes { return false }
                    try IndexCatalog.remove(old, db)
                }
                try IndexMaker.check(definition)
                try maker.checkIsFree(name)
                guard try IndexCatalog.count(db) < StoreLimits.indexes else {
                    throw StoreError(
                        .tooLarge, message: "A database has no more than \(StoreLimits.indexes) indexes.",
                        context: ["index": name], hint: "Delete some first.")
                }
                let record = try IndexCatalog.add(name, collection: number, definition: definition, db)
                // Here, since the transaction would translate the error as one of the database.
                try translatingDepth { for statement in statements(record) { try db.execute(sql: statement) } }
                return true
            }
        }
        if isMade { LibraryLog.query.info("Made the index \(name.withControlsEscaped) of \(collectionName)") }
    }
}

extension IndexDefinition {
    fileprivate init(_ configuration: any IndexConfiguration) throws {
        switch configuration {
        case let value as ValueIndexConfiguration:
            let condition = value.where.flatMap { $0.isEmpty ? nil : $0 }
            self = .value(expressions: value.expressions.joined(separator: ","), condition: condition)
        case let array as ArrayIndexConfiguration:
            let expressions = array.expressions?.filter { !$0.isEmpty } ?? []
            self = .array(path: array.path, expressions: expressions.isEmpty ? nil : expressions.joined(separator: ","))
        case let text as FullTextIndexConfiguration:
            self = .fullText(
                expressions: text.expressions.joined(separator: ","),
                condition: text.where.flatMap { $0.isEmpty ? nil : $0 }, language: text.language,
                ignoresAccents: text.ignoreAccents)
        default:
            throw StoreError(
                .unsupported, message: "There is no such kind of index.",
                hint: "Use a ValueIndexConfiguration, an ArrayIndexConfiguration or a FullTextIndexConfiguration.")
        }
    }
}
