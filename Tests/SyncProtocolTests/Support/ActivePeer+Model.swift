import BLIPProtocol
import DocumentValues
import SyncModels

@testable import SyncProtocol

/// An active session over a model of its store. Conflicts are resolved at once.
extension ActivePeer<ModelClient> {
    init(_ configuration: ActiveConfiguration, model: ModelClient) {
        var configuration = configuration
        for index in configuration.collections.indices {
            configuration.collections[index].localCheckpoint = model.collections[index].checkpoint
            configuration.collections[index].isEmpty = model.collections[index].documents.isEmpty
        }
        self.init(configuration, store: model, now: 1_800_000_000_000)
        resolvesAtOnce = true
    }

    /// Carries out a resolution that waits.
    mutating func resolveOne() {
        guard let waiting = takeResolution() else { return }
        complete(waiting.job, with: store.resolveConflicts(of: waiting.documentIDs, in: waiting.collection))
        // The resolution is a commit like any other.
        committed(in: [waiting.collection])
    }
}

extension ActiveConfiguration {
    static func test(
        _ names: [String], pushes: Bool = true, pulls: Bool = true, isContinuous: Bool = false, mark: String = "a"
    ) throws -> ActiveConfiguration {
        var configuration = ActiveConfiguration(
            collections: try names.map { name in
                Collection(name: try CollectionName(parsing: name), checkpointID: "cp-\(name)")
            }, pushes: pushes, pulls: pulls, mark: mark)
        configuration.isContinuous = isContinuous
        return configuration
    }
}
