import DocumentValues
import GRDB
import SQLiteStorage

extension SQLiteReader {
    func configuration() throws -> StoredConfiguration? {
        let properties = SQLitePropertyRows(db: db)
        guard let bytes = try properties.bytes(.configuration) else { return nil }
        let times = try properties.bytes(.configurationTimes).map { try JSONObject(parsing: $0) }
        return StoredConfiguration(
            json: try JSONObject(parsing: bytes), number: try properties.number(.configurationVersion),
            times: ConfigurationTimes(
                created: times?["created_at"]?.stringValue ?? "", updated: times?["updated_at"]?.stringValue ?? ""))
    }

    func collections() throws -> [Int64: CollectionName] {
        let rows = try RawStatement("SELECT id, scope, name FROM collections", db).all { row in
            (number: row.int64(0), scope: row.text(1), name: row.text(2))
        }
        return try Dictionary(
            uniqueKeysWithValues: rows.map { ($0.number, try CollectionName(scope: $0.scope, name: $0.name)) })
    }

    func collection(_ number: Int64) throws -> CollectionName? {
        let statement = try RawStatement("SELECT scope, name FROM collections WHERE id = ?", db)
        statement.bind(1, to: number)
        let row = try statement.first { (scope: $0.text(0), name: $0.text(1)) }
        return try row.map { try CollectionName(scope: $0.scope, name: $0.name) }
    }
}

extension SQLiteTransaction {
    func setConfiguration(_ configuration: StoredConfiguration) throws {
        let times: JSONValue = [
            "created_at": .string(configuration.times.created), "updated_at": .string(configuration.times.updated),
        ]
        let properties = SQLitePropertyWrites(db: db)
        try properties.set(.configuration, to: configuration.json.bytes)
        try properties.set(.configurationVersion, to: configuration.number)
        try properties.set(.configurationTimes, to: times.bytes)
    }

    func number(of collection: CollectionName) throws -> Int64 {
        let statement = try RawStatement("SELECT id FROM collections WHERE scope = ? AND name = ?", db)
        statement.bind(1, to: collection.scope)
        statement.bind(2, to: collection.name)
        if let number = try statement.first({ $0.int64(0) }) { return number }
        let insertion = try RawStatement("INSERT INTO collections (scope, name) VALUES (?, ?)", db)
        insertion.bind(1, to: collection.scope)
        insertion.bind(2, to: collection.name)
        try insertion.run()
        return db.lastInsertedRowID
    }
}
