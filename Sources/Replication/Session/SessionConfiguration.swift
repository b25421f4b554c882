import BLIPTransport
import DocumentStore
import DocumentValues
import Foundation
import SyncProtocol

/// The settings of one connection; taken from the replicator's configuration when it starts.
struct SessionConfiguration: Sendable {
    struct Collection: Sendable {
        var name: CollectionName
        var configuration: CollectionConfiguration
        /// `nil` for all documents. An empty list means all, too, as in the reference.
        var documentIDs: Set<Name>?
        var channels: [String]?
        var checkpointID: String
        /// A replication of chosen documents must not touch the others.
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
                    channels: channels,
                    documentIDs: part.attachmentPull == .missingOnly ? [Name("_attachments")] : documentIDs,
                    user: (configuration.authenticator as? BasicAuthenticator)?.username
                ).checkpointID
        }
    }

    var collections: [Collection]
    var pushes: Bool
    var pulls: Bool
    var isContinuous: Bool
    var retriesRefusals = true
    var retriesQuietly = true
    /// With how many transfers at a time the session begins.
    var window = TransferWindow.open

    init(_ configuration: ReplicatorConfiguration, store: ReplicationStore) throws {
        pushes = configuration.replicatorType.pushes
        pulls = configuration.replicatorType.pulls
        isContinuous = configuration.continuous
        collections = try configuration.collections.map { try Collection($0, of: configuration, store: store) }
    }

    /// The configuration of the protocol's machine, with the checkpoints of the store.
    func active(_ store: ReplicationStore) throws -> ActiveConfiguration {
        var active = ActiveConfiguration(
            collections: try collections.map { collection in
                var part = ActiveConfiguration.Collection(name: collection.name, checkpointID: collection.checkpointID)
                part.localCheckpoint = try store.loadCheckpoint(collection.checkpointID)
                part.isEmpty = try store.isEmpty(collection.name)
                part.channels = collection.channels
                part.documentIDs = collection.documentIDs == nil ? nil : collection.configuration.documentIDs
                part.turn = collection.configuration.pullTurn
                part.isOptional = collection.configuration.mayBeMissing
                part.hasPullFilter = collection.configuration.pullFilter != nil
                part.askedFor = try unknown(in: collection, store)
                return part
            }, pushes: pushes, pulls: pulls, mark: UUID().uuidString)
        active.isContinuous = isContinuous
        active.retriesRefusals = retriesRefusals
        active.retriesQuietly = retriesQuietly
        active.window = window
        return active
    }

    /// Documents that the gateway has refused because it has another revision, which is not here. It had announced that
    /// revision before the document was purged here, or a pull filter kept it out; it does not announce it again by itself.
    private func unknown(in collection: Collection, _ store: ReplicationStore) throws -> [String] {
        guard pushes, pulls, isContinuous else { return [] }
        let refused = try store.rejections(in: collection.name).filter { $0.code == 409 }.map(\.documentID)
        guard !refused.isEmpty else { return [] }
        let hasFilter = collection.configuration.pullFilter != nil
        var unknown: [String] = []
        // In batches, since the revisions come with their bodies.
        for start in stride(from: 0, to: refused.count, by: ActiveLimits.revisionsPerLoad) {
            let batch = Array(refused[start...].prefix(ActiveLimits.revisionsPerLoad))
            // A document that is damaged could not be compared with what the gateway would send.
            for case let local? in try store.revisions(of: batch, in: collection.name, unreadable: { _, _ in })
            where local.remoteRevision == nil || !hasFilter && !local.isInConflict {
                unknown.append(local.documentID)
            }
        }
        let chosen = unknown.filter { collection.documentIDs?.contains(Name($0)) ?? true }
        guard chosen.count > ActiveLimits.askedDocuments else { return chosen }
        // A random choice each time, so that documents which the gateway does not send cannot keep back the others for
        // ever.
        return Array(chosen.shuffled().prefix(ActiveLimits.askedDocuments))
    }
}
