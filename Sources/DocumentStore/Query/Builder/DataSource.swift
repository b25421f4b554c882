import DocumentQuery

/// A source of a query.
public protocol DataSourceProtocol: Sendable {}

/// A source that can be given a name.
public protocol DataSourceAs: DataSourceProtocol {
    /// The source under a name, which expressions then name in `from`.
    func `as`(_ alias: String) -> any DataSourceProtocol
}

/// Makes the sources of ``QueryBuilder``.
public enum DataSource {
    /// A collection; its alias is its name where none is given.
    public static func collection(_ collection: Collection) -> any DataSourceAs {
        BuiltSource(collection: collection, alias: collection.name)
    }

    /// The default collection; its alias is the database's name where none is given.
    @available(*, deprecated, message: "Use DataSource.collection(_:).")
    public static func database(_ database: Database) -> any DataSourceAs {
        BuiltSource(collection: (try? database.defaultCollection()) ?? .unassigned, alias: database.name)
    }
}

/// A source as the builder carries it.
struct BuiltSource: DataSourceAs {
    let collection: Collection
    let alias: String

    func `as`(_ alias: String) -> any DataSourceProtocol { BuiltSource(collection: collection, alias: alias) }

    func source(_ joining: QuerySource.Joining, condition: QueryExpression? = nil) -> QuerySource {
        QuerySource(
            .collection([collection.scope.name, collection.name]), alias: alias, joining: joining,
            condition: condition)
    }
}
