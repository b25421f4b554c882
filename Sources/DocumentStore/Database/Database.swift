/// A database of documents in scopes and collections, kept in one folder.
public final class Database: Sendable {
    public static let defaultScopeName = Scope.defaultScopeName
    public static let defaultCollectionName = Collection.defaultCollectionName

    public let name: String
    public let config: DatabaseConfiguration

    /// Opens `<directory>/<name>.fieldbook`, which is made if it does not exist.
    public init(name: String, config: DatabaseConfiguration = DatabaseConfiguration()) throws {
        self.name = name
        self.config = config
    }

    /// Opens any database folder by its path, which is made if it does not exist.
    public static func open(folder: String, config: DatabaseConfiguration = DatabaseConfiguration()) throws -> Database
    {
        preconditionFailure()
    }

    /// The database's folder; `nil` once it is closed.
    public var path: String? { preconditionFailure() }

    public func close() throws {}
    public func delete() throws {}
    public func performMaintenance(type: MaintenanceType) throws {}
    public func inBatch(using block: () throws -> Void) throws {}

    public func defaultScope() throws -> Scope { preconditionFailure() }
    public func scopes() throws -> [Scope] { preconditionFailure() }
    public func scope(name: String) throws -> Scope? { preconditionFailure() }
    public func defaultCollection() throws -> Collection { preconditionFailure() }
    public func collections(scope: String? = defaultScopeName) throws -> [Collection] { preconditionFailure() }
    /// Returns the collection, which is made if it does not exist.
    public func createCollection(name: String, scope: String? = defaultScopeName) throws -> Collection {
        preconditionFailure()
    }
    public func collection(name: String, scope: String? = defaultScopeName) throws -> Collection? {
        preconditionFailure()
    }
    public func deleteCollection(name: String, scope: String? = defaultScopeName) throws {}

    /// While something is registered, the database refuses to close and to be deleted.
    package func register(_ activity: DatabaseActivity) throws -> ListenerToken { preconditionFailure() }

    // MARK: Kept aside

    package func quarantinedDocuments() throws -> [QuarantinedDocument] { preconditionFailure() }
    /// Saves the document again as a new local edit; it leaves the quarantine.
    package func restoreQuarantinedDocument(_ id: Int64) throws { preconditionFailure() }
    package func discardQuarantinedDocument(_ id: Int64) throws { preconditionFailure() }
    /// Refused pushes of all remotes.
    package func rejectedPushes() throws -> [RejectedPush] { preconditionFailure() }
}

/// What keeps a database from being closed.
package enum DatabaseActivity: String, Sendable, Hashable {
    case replicator
    case queryListener
}
