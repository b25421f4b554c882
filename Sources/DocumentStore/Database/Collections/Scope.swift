import DocumentValues

/// A namespace of collections.
public final class Scope: Sendable {
    /// `_default`.
    public static let defaultScopeName = "_default"

    /// Unique in the database.
    public let name: String
    /// The database that it is in.
    public let database: Database

    init(name: String, database: Database) {
        self.name = name
        self.database = database
    }

    /// Its collections, in the order of their names.
    ///
    /// - Throws: `.notOpen` if the database is closed.
    public func collections() throws -> [Collection] { try database.collections(scope: name) }

    /// `nil` if the scope has no such collection.
    ///
    /// - Throws: `.invalidParameter` for a name that no collection can have; `.notOpen` if the database is closed.
    public func collection(name: String) throws -> Collection? { try database.collection(name: name, scope: self.name) }
}

extension Scope: Hashable {
    /// The same name, byte by byte, in the same `Database` object.
    public static func == (left: Scope, right: Scope) -> Bool {
        left.name.isExactly(right.name) && left.database === right.database
    }

    /// Of the name and the database.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Name(name))
        hasher.combine(ObjectIdentifier(database))
    }
}
