import BLIPTransport
import DocumentStore
import DocumentValues
import SyncProtocol

/// What one connection replicates; taken from the replicator's configuration when it starts.
struct SessionConfiguration: Sendable {
    struct Collection: Sendable {
        var name: CollectionName
        var configuration: CollectionConfiguration
        /// `nil`: all. An empty list chooses nothing in particular, as in the reference.
        var documentIDs: Set<Name>?
        var channels: [String]?
        var checkpointID: String
        /// A replication of chosen documents says nothing of those that are not chosen.
        var purgesLostDocuments: Bool

        var collection: DocumentStore.Collection { configuration.collection }

        init(
            _ part: CollectionConfiguration, of configuration: ReplicatorConfiguration, store: ReplicationStore
        ) throws {
            name = try CollectionName(scope: part.collection.scope.name, name: part.collection.name)
            self.configuration = part
            documentIDs = part.documentIDs.flatMap { $0.isEmpty ? nil : Set($0.map { Name($0) }) }
            channels = part.channels.flatMap { $0.isEmpty ? nil : $0 }
            purgesLostDocuments = configuration.enableAutoPurge && documentIDs == nil
            checkpointID =
                CheckpointIdentity(
                    databaseUUID: store.privateUUID, remote: store.remote, collection: name,
                    pushes: configuration.replicatorType.pushes, pulls: configuration.replicatorType.pulls,
                    channels: channels, documentIDs: documentIDs,
                    user: (configuration.authenticator as? BasicAuthenticator)?.username
                ).checkpointID
        }
    }

    var collections: [Collection]
    var pushes: Bool
    var pulls: Bool
    var isContinuous: Bool
    var retriesRejections = true
    var retriesQuietly = true

    init(_ configuration: ReplicatorConfiguration, store: ReplicationStore) throws {
        pushes = configuration.replicatorType.pushes
        pulls = configuration.replicatorType.pulls
        isContinuous = configuration.continuous
        collections = try configuration.collections.map { try Collection($0, of: configuration, store: store) }
    }

    /// As the protocol's machine wants it, with the checkpoints that lie in the store.
    func active(_ store: ReplicationStore) throws -> ActiveConfiguration {
        var active = ActiveConfiguration(
            collections: try collections.map { collection in
                var part = ActiveConfiguration.Collection(name: collection.name, checkpointID: collection.checkpointID)
                part.localCheckpoint = try store.loadCheckpoint(collection.checkpointID)
                part.isEmpty = try store.isEmpty(collection.name)
                part.channels = collection.channels
                part.documentIDs = collection.documentIDs == nil ? nil : collection.configuration.documentIDs
                part.hasPullFilter = collection.configuration.pullFilter != nil
                return part
            }, pushes: pushes, pulls: pulls)
        active.isContinuous = isContinuous
        active.retriesRejections = retriesRejections
        active.retriesQuietly = retriesQuietly
        return active
    }
}
