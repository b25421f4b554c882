import DocumentStore
import Foundation

/// Spellings of Couchbase Lite 3.1 to 3.3: collections are added to a configuration.
extension ReplicatorConfiguration {
    /// For code of Couchbase Lite 3.1 to 3.3: without collections, which are added.
    @available(*, deprecated, message: "Use init(collections:target:).")
    public init(target: any Endpoint) { self.init(collections: [], target: target) }

    /// Adds a collection, or changes how it is replicated.
    @available(*, deprecated, message: "Use init(collections:target:).")
    @discardableResult
    public mutating func addCollection(_ collection: Collection, config: CollectionConfiguration? = nil) -> Self {
        put(collection, configuration: config)
        return self
    }

    /// For code of Couchbase Lite 3.1 to 3.3: adds collections, or changes how they are replicated.
    @available(*, deprecated, message: "Use init(collections:target:).")
    @discardableResult
    public mutating func addCollections(_ collections: [Collection], config: CollectionConfiguration? = nil) -> Self {
        for collection in collections { put(collection, configuration: config) }
        return self
    }

    /// For code of Couchbase Lite 3.1 to 3.3: leaves a collection out.
    @available(*, deprecated, message: "Use init(collections:target:).")
    @discardableResult
    public mutating func removeCollection(_ collection: Collection) -> Self {
        collections.removeAll { $0.collection == collection }
        return self
    }

    /// For code of Couchbase Lite 3.1 to 3.3: how a collection is replicated; `nil` where it is not.
    @available(*, deprecated, message: "Look into collections.")
    public func collectionConfig(_ collection: Collection) -> CollectionConfiguration? {
        collections.first { $0.collection == collection }
    }

    private mutating func put(_ collection: Collection, configuration: CollectionConfiguration?) {
        var configuration = configuration ?? CollectionConfiguration(collection: collection)
        configuration.optionalCollection = collection
        if let index = collections.firstIndex(where: { $0.collection == collection }) {
            collections[index] = configuration
        } else {
            collections.append(configuration)
        }
    }
}

extension CollectionConfiguration {
    /// For code of Couchbase Lite 3.1 to 3.3: of the collection that it is added with.
    @available(*, deprecated, message: "Use init(collection:).")
    public init() { optionalCollection = nil }

    /// For code of Couchbase Lite 3.1 to 3.3: of the collection that it is added with.
    @available(*, deprecated, message: "Use init(collection:).")
    public init(
        conflictResolver: (any ConflictResolverProtocol)? = nil, pushFilter: ReplicationFilter? = nil,
        pullFilter: ReplicationFilter? = nil, channels: [String]? = nil, documentIDs: [String]? = nil
    ) {
        self.init()
        self.conflictResolver = conflictResolver
        self.pushFilter = pushFilter
        self.pullFilter = pullFilter
        self.channels = channels
        self.documentIDs = documentIDs
    }
}

/// Spellings of Couchbase Lite 2.x and 3.0, which knew one collection: they mean the default one.
extension ReplicatorConfiguration {
    /// Where the default collection cannot be read, the configuration has none, which `validate()` finds.
    @available(*, deprecated, message: "Use init(collections:target:).")
    public init(database: Database, target: any Endpoint) {
        let collection = try? database.defaultCollection()
        self.init(collections: CollectionConfiguration.fromCollections(collection.map { [$0] } ?? []), target: target)
    }

    /// For code of Couchbase Lite 2.x: the filter of the default collection.
    @available(*, deprecated, message: "Use CollectionConfiguration.pushFilter.")
    public var pushFilter: ReplicationFilter? {
        get { defaultConfiguration?.pushFilter }
        set { changeDefault { $0.pushFilter = newValue } }
    }

    /// For code of Couchbase Lite 2.x: the filter of the default collection.
    @available(*, deprecated, message: "Use CollectionConfiguration.pullFilter.")
    public var pullFilter: ReplicationFilter? {
        get { defaultConfiguration?.pullFilter }
        set { changeDefault { $0.pullFilter = newValue } }
    }

    /// For code of Couchbase Lite 2.x: the channels of the default collection.
    @available(*, deprecated, message: "Use CollectionConfiguration.channels.")
    public var channels: [String]? {
        get { defaultConfiguration?.channels }
        set { changeDefault { $0.channels = newValue } }
    }

    /// For code of Couchbase Lite 2.x: the documents of the default collection.
    @available(*, deprecated, message: "Use CollectionConfiguration.documentIDs.")
    public var documentIDs: [String]? {
        get { defaultConfiguration?.documentIDs }
        set { changeDefault { $0.documentIDs = newValue } }
    }

    /// For code of Couchbase Lite 2.x: the resolver of the default collection.
    @available(*, deprecated, message: "Use CollectionConfiguration.conflictResolver.")
    public var conflictResolver: (any ConflictResolverProtocol)? {
        get { defaultConfiguration?.conflictResolver }
        set { changeDefault { $0.conflictResolver = newValue } }
    }

    private var defaultConfiguration: CollectionConfiguration? {
        collections.first { $0.collection.fullName == Self.defaultName }
    }

    private mutating func changeDefault(_ change: (inout CollectionConfiguration) -> Void) {
        guard let index = collections.firstIndex(where: { $0.collection.fullName == Self.defaultName }) else { return }
        change(&collections[index])
    }

    private static let defaultName = "\(Database.defaultScopeName).\(Database.defaultCollectionName)"
}
