import BLIPTransport
import DocumentStore
import DocumentValues
import SyncProtocol

/// What one connection replicates; taken from the replicator's configuration when it starts.
struct SessionConfiguration: Sendable {
    struct Collection: Sendable {
        var name: CollectionName
        var configuration: CollectionConfiguration
        var documentIDs: Set<String>?
        var checkpointID: String

        var collection: DocumentStore.Collection { configuration.collection }
    }

    var collections: [Collection]
    var pushes: Bool
    var pulls: Bool
    var isContinuous: Bool
    var purgesLostDocuments: Bool
    var retriesRejections = true

    init(_ configuration: ReplicatorConfiguration, store: ReplicationStore) throws {
        let pushes = configuration.replicatorType.pushes
        let pulls = configuration.replicatorType.pulls
        self.pushes = pushes
        self.pulls = pulls
        isContinuous = configuration.continuous
        // A replication of chosen documents says nothing of those that are not chosen.
        purgesLostDocuments =
            configuration.enableAutoPurge && configuration.collections.allSatisfy { $0.documentIDs == nil }
        let user = (configuration.authenticator as? BasicAuthenticator)?.username
        collections = try configuration.collections.map { collection in
            let name = try CollectionName(scope: collection.collection.scope.name, name: collection.collection.name)
            let identity = CheckpointIdentity(
                databaseUUID: store.privateUUID, remote: store.remote, collection: name, pushes: pushes, pulls: pulls,
                channels: collection.channels, documentIDs: collection.documentIDs, user: user)
            return Collection(
                name: name, configuration: collection, documentIDs: collection.documentIDs.map { Set($0) },
                checkpointID: identity.checkpointID)
        }
    }

    /// As the protocol's machine wants it, with the checkpoints that lie in the store.
    func active(_ store: ReplicationStore) throws -> ActiveConfiguration {
        var active = ActiveConfiguration(
            collections: try collections.map { collection in
                var part = ActiveConfiguration.Collection(name: collection.name, checkpointID: collection.checkpointID)
                part.localCheckpoint = try store.loadCheckpoint(collection.checkpointID)
                part.isEmpty = try store.isEmpty(collection.name)
                part.channels = collection.configuration.channels.flatMap { $0.isEmpty ? nil : $0 }
                part.documentIDs = collection.configuration.documentIDs.flatMap { $0.isEmpty ? nil : $0 }
                part.hasPullFilter = collection.configuration.pullFilter != nil
                return part
            }, pushes: pushes, pulls: pulls)
        active.isContinuous = isContinuous
        active.retriesRejections = retriesRejections
        return active
    }
}
