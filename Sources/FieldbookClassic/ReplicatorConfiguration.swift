import DocumentStore
import Replication

/// What a replicator replicates, where to, and how: the default collection of a database with a gateway.
///
/// As in Couchbase Lite 2.x it is an object, so that `let config = …; config.continuous = true` compiles. A replicator
/// takes a copy: changing the object later has no effect on it. Besides the properties below it has those of
/// `Fieldbook`'s `ReplicatorConfiguration`, with the same defaults.
@dynamicMemberLookup
public final class ReplicatorConfiguration {
    public let database: Database
    private var settings: Replication.ReplicatorConfiguration
    private var collection: CollectionConfiguration

    /// Where the default collection of the database cannot be read, a replicator with this configuration ends with an
    /// error that says so.
    public init(database: Database, target: any Endpoint) {
        self.database = database
        settings = Replication.ReplicatorConfiguration(collections: [], target: target)
        collection = CollectionConfiguration(collection: (try? database.defaultCollection()) ?? .unassigned)
    }

    /// A copy.
    public init(config: ReplicatorConfiguration) {
        database = config.database
        settings = config.settings
        collection = config.collection
    }

    public var target: any Endpoint { settings.target }

    public subscript<Value>(
        dynamicMember property: WritableKeyPath<Replication.ReplicatorConfiguration, Value>
    ) -> Value {
        get { settings[keyPath: property] }
        set { settings[keyPath: property] = newValue }
    }

    /// Decides conflicts; `nil` means `ConflictResolver.default`.
    public var conflictResolver: (any ConflictResolverProtocol)? {
        get { collection.conflictResolver }
        set { collection.conflictResolver = newValue }
    }

    /// Local changes that it refuses are not pushed.
    public var pushFilter: ReplicationFilter? {
        get { collection.pushFilter }
        set { collection.pushFilter = newValue }
    }

    /// Remote changes that it refuses are not stored.
    public var pullFilter: ReplicationFilter? {
        get { collection.pullFilter }
        set { collection.pullFilter = newValue }
    }

    /// Only documents in these of the user's channels are pulled; `nil` and none: of all of them.
    public var channels: [String]? {
        get { collection.channels }
        set { collection.channels = newValue }
    }

    /// Only these documents are pushed and pulled; `nil` and none: all.
    public var documentIDs: [String]? {
        get { collection.documentIDs }
        set { collection.documentIDs = newValue }
    }

    /// The same as `Fieldbook` has it.
    public var current: Replication.ReplicatorConfiguration {
        var current = settings
        current.collections = [collection]
        return current
    }
}
