import DocumentStore
import Foundation

/// A database of ours in a folder that is removed with it.
final class StoreDatabase {
    static let name = "bench"
    let configuration: DatabaseConfiguration
    let database: Database
    let inspections: DocumentStore.Collection
    private let folder: TemporaryFolder

    init(
        durability: DatabaseConfiguration.Durability = .immediate, key: EncryptionKey? = nil
    ) throws {
        folder = try TemporaryFolder()
        var configuration = DatabaseConfiguration()
        configuration.directory = folder.path
        configuration.durability = durability
        configuration.encryptionKey = key
        self.configuration = configuration
        database = try Database(name: Self.name, config: configuration)
        inspections = try database.createCollection(name: "inspections")
    }

    deinit { try? database.close() }

    /// SQLite's file.
    var file: String { "\(folder.path)/\(Self.name).fieldbook/database.sqlite3" }

    /// Saves documents in one transaction.
    func insert(_ samples: [(id: String, body: [UInt8])]) throws {
        try database.inBatch {
            for (id, body) in samples {
                try inspections.save(document: MutableDocument(id: id, json: String(decoding: body, as: UTF8.self)))
            }
        }
    }

    /// Closes the database.
    ///
    /// - Returns: bytes of its files on the disk then.
    func sizeWhenClosed() throws -> Int {
        try database.close()
        return try folder.size()
    }
}

/// The same 50,000 documents in a database of ours and in a table of SQLite's, `texts`.
struct StoreSides {
    static let count = 50_000
    let store: StoreDatabase
    let raw: RawSQLite

    init() throws {
        let samples = SampleDocuments.stored(0..<Self.count)
        raw = try RawSQLite()
        try raw.insertTexts(samples)
        store = try StoreDatabase()
        try store.insert(samples)
    }

    /// Makes an index of a member on both sides.
    func makeIndex(of member: String) throws {
        try store.inspections.createIndex(withName: "by_\(member)", config: ValueIndexConfiguration([member]))
        try raw.execute("CREATE INDEX texts_by_\(member) ON texts (json_extract(body, '$.\(member)'))")
    }
}
