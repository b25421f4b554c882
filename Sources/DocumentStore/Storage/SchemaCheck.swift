import DatabaseMigrations
import DocumentValues
import GRDB
import SQLiteStorage

/// Compares the objects in a file with those that this program makes: a file from elsewhere may have a view that is never read
/// to its end, or a trigger that drops saved documents.
struct SchemaCheck {
    private let db: GRDB.Database
    /// Of the file, for errors.
    private let path: String
    private let objects: [SchemaObject]
    private let objectsByKey: [Name: SchemaObject]

    /// Reads the objects of the file.
    init(_ db: GRDB.Database, path: String) throws {
        self.db = db
        self.path = path
        objects = try SchemaObject.all(db)
        objectsByKey = Dictionary(objects.map { ($0.key, $0) }) { first, _ in first }
    }

    /// What the migrations make.
    private static let made = Swift.Result { try Schema(DatabaseMigrations.store).objects() }

    // MARK: Names

    /// Refuses a file in which the list of migrations is something else, before it is read.
    func checkMigrations() throws {
        for object in objects where object.name.utf8.elementsEqual("grdb_migrations".utf8) || object.type == "view" {
            let own = try Self.made.get().first { $0.name.isExactly(object.name) }
            guard let own, isSame(object, as: [own.sql]) else { throw StoreError.foreignObject(object, path: path) }
        }
    }

    /// Refuses a file with a table, index, trigger or view that is neither the program's nor that of a collection or index
    /// which the file lists.
    func checkNames() throws {
        let own = Set(try Self.made.get().map(\.key))
        let others = objects.filter { !own.contains($0.key) && !$0.isOfSQLite }
        guard !others.isEmpty else { return }
        let listed = try listedKeys()
        for object in others where !listed.contains(object.key) { throw StoreError.foreignObject(object, path: path) }
    }

    private func has(table: String) -> Bool {
        objectsByKey[SchemaObject.key(table, type: "table", of: table)] != nil
    }

    private func listedKeys() throws -> Set<Name> {
        guard has(table: "collections") else { return [] }
        var keys: Set<Name> = []
        for id in try RawStatement("SELECT id FROM collections", db).all({ $0.int64(0) }) {
            let table = "documents_\(id)"
            keys.insert(SchemaObject.key(table, type: "table", of: table))
            for name in ["\(table)_expiration", "\(table)_deleted"] {
                keys.insert(SchemaObject.key(name, type: "index", of: table))
            }
        }
        guard has(table: "indexes") else { return keys }
        let indexes = try IndexCatalog.all(db)
        guard indexes.count <= StoreLimits.indexes else { throw StoreError.tooManyIndexes(path) }
        for index in indexes { for object in index.keys { keys.insert(object) } }
        return keys
    }

    // MARK: Statements

    /// Refuses a table or an index that was made by another statement than this program's. After the migrations.
    func checkStatements() throws {
        var statements: [Name: [String?]] = [:]
        for object in try Self.made.get() { statements[object.key] = [object.sql] }
        for id in try RawStatement("SELECT id FROM collections", db).all({ $0.int64(0) }) {
            let table = "documents_\(id)"
            statements[SchemaObject.key(table, type: "table", of: table)] = CollectionCatalog.tables(id)
            for (name, sql) in zip(["\(table)_expiration", "\(table)_deleted"], CollectionCatalog.indexes(id)) {
                statements[SchemaObject.key(name, type: "index", of: table)] = [sql]
            }
        }
        for object in objects {
            guard let expected = statements[object.key], !isSame(object, as: expected) else { continue }
            throw StoreError.changedObject(object, path: path)
        }
    }

    private func isSame(_ object: SchemaObject, as statements: [String?]) -> Bool {
        guard let sql = object.sql else { return statements.contains { $0 == nil } }
        let essence = SchemaObject.essence(of: sql)
        return statements.contains { $0.map { SchemaObject.essence(of: $0) } == essence }
    }

    // MARK: Indexes

    /// Whether the file has exactly what the definition of an index makes, to the letter.
    func isAsMade(_ index: IndexRecord, by maker: IndexMaker) -> Bool {
        let found = index.keys.compactMap { objectsByKey[$0] }
        // One that cannot be read must not have triggers that could do anything.
        guard let definition = index.definition else { return !found.contains { $0.type == "trigger" } }
        do {
            let wanted = try maker.prepare(definition)(index).filter { $0.utf8.starts(with: "CREATE ".utf8) }
            let texts = Set(found.compactMap(\.sql).map { Name($0) })
            return wanted.allSatisfy { texts.contains(Name($0)) }
        } catch { return false }
    }
}

extension SchemaObject {
    static func key(_ name: String, type: String, of table: String) -> Name { Name("\(type)\0\(name)\0\(table)") }

    var key: Name { Self.key(name, type: type, of: table) }

    /// Statistics, and the indexes that SQLite makes for the keys of a table.
    fileprivate var isOfSQLite: Bool {
        if type == "index" { return sql == nil && Name(name).hasPrefix("sqlite_autoindex_") }
        return type == "table" && (name.isExactly("sqlite_stat1") || name.isExactly("sqlite_stat4"))
    }
}

extension IndexRecord {
    /// The objects that an index of this kind has.
    fileprivate var keys: [Name] {
        let documents = "documents_\(collection)"
        let values = [SchemaObject.key(name, type: "index", of: documents)]
        let triggers = ["insert", "update", "delete"].map {
            SchemaObject.key("\(table)_\($0)", type: "trigger", of: documents)
        }
        let elements = [
            SchemaObject.key(table, type: "table", of: table), SchemaObject.key(name, type: "index", of: table),
            SchemaObject.key("\(table)_documents", type: "index", of: table),
        ]
        let fullText = ["", "_data", "_idx", "_content", "_docsize", "_config"].map {
            SchemaObject.key(table + $0, type: "table", of: table + $0)
        }
        return switch definition {
        case .value: values
        case .array: elements + triggers
        case .fullText: fullText + triggers
        case nil: values + elements + fullText + triggers
        }
    }
}
