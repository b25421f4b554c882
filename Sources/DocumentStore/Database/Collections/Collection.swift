import DocumentValues

/// A set of documents with unique ids.
public final class Collection: Sendable {
    /// `_default`.
    public static let defaultCollectionName = "_default"

    /// Unique in its scope.
    public let name: String
    /// The scope that it is in.
    public let scope: Scope
    /// Never given to another collection: one that is deleted and made again gets a new number.
    let number: Int64
    package let collectionName: CollectionName

    init(_ record: CollectionRecord, scope: Scope) {
        number = record.id
        collectionName = record.name
        name = record.name.name
        self.scope = scope
    }

    /// Represents a collection where none was named; all calls throw `.notOpen`.
    package static let unassigned = Collection(
        CollectionRecord(id: 0, name: .default, lastSequence: 0, liveDocuments: 0),
        scope: Scope(name: Scope.defaultScopeName, database: .unopened))

    /// The database that it is in.
    public var database: Database { scope.database }

    /// `scope.collection`.
    public var fullName: String { collectionName.description }

    /// Documents that are not deleted; within a batch, its changes are counted. 0 once the database is closed or the
    /// collection deleted.
    public var count: UInt64 {
        let record = try? database.core().record(of: number)
        return UInt64(max(0, record?.liveDocuments ?? 0))
    }

    /// Reads one state of the collection.
    ///
    /// - Throws: `.notOpen` if the database is closed or the collection deleted.
    func read<Value>(_ body: (CollectionReader) throws -> Value) throws -> Value {
        try database.core().snapshot { db in
            guard let record = try CollectionCatalog.find(number, db) else { throw StoreError.notOpen }
            return try body(CollectionReader(db: db, record: record))
        }
    }
}

extension Collection: Hashable {
    /// The same collection of the same `Database` object. One that was deleted and made again is another.
    public static func == (left: Collection, right: Collection) -> Bool {
        left.number == right.number && left.database === right.database
    }

    /// Of the collection and the database.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(ObjectIdentifier(database))
    }
}
