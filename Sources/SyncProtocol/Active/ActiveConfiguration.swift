import DocumentValues

/// What an active session replicates.
package struct ActiveConfiguration: Sendable, Hashable {
    package struct Collection: Sendable, Hashable {
        package var name: CollectionName
        /// Changes when anything changes that would make an old checkpoint wrong.
        package var checkpointID: String
        /// The checkpoint that lies here; `nil` when there is none or it is to be ignored.
        package var localCheckpoint: [UInt8]?
        /// Neither documents nor tombstones are here: those of the gateway need not come either.
        package var isEmpty = false
        package var channels: [String]?
        package var documentIDs: [String]?
        package var hasPullFilter = false
        /// Documents of which the gateway has a revision that was announced before and is unknown here. A session that goes on
        /// asks for them first; one that runs once finds them itself.
        package var askedFor: [String] = []

        package init(name: CollectionName, checkpointID: String) {
            self.name = name
            self.checkpointID = checkpointID
        }
    }

    package var collections: [Collection]
    package var pushes: Bool
    package var pulls: Bool
    package var isContinuous = false
    /// Ask to be notified of lost access; for auto-purge, or to notify the application.
    package var wantsRevocations = true
    /// Take revisions as differences to older ones, and send them so to a gateway that takes them.
    package var usesDeltas = true
    /// Propose documents again that the gateway refused for lack of access: at the start, and when access comes back.
    package var retriesRefusals = true
    /// Of what is refused again nothing is reported; false in a run that begins from the start.
    package var retriesQuietly = true
    /// Of this session alone, by chance: the checkpoints that it saves carry it.
    package var mark: String

    package init(collections: [Collection], pushes: Bool, pulls: Bool, mark: String) {
        self.collections = collections
        self.pushes = pushes
        self.pulls = pulls
        self.mark = mark
    }

    /// The default collection alone goes without `getCollections`, as clients before 3.1 know it.
    package var namesCollections: Bool { collections.map(\.name) != [.default] }
}
