import DocumentValues

/// The collections and options of an active session.
package struct ActiveConfiguration: Sendable, Hashable {
    package struct Collection: Sendable, Hashable {
        package var name: CollectionName
        /// The id changes with every option for which an old checkpoint would be wrong.
        package var checkpointID: String
        /// The checkpoint stored on this side; `nil` if there is none or it is to be ignored.
        package var localCheckpoint: [UInt8]?
        /// This side has neither documents nor tombstones: so the gateway need not send its tombstones.
        package var isEmpty = false
        package var channels: [String]?
        package var documentIDs: [String]?
        package var hasPullFilter = false
        /// The session goes on without it where the gateway has no such collection.
        package var isOptional = false
        /// Changes are asked for in turns: those of a later one when those of the earlier ones are here. All collections of
        /// turn 0 begin at once. A push does not wait.
        package var turn = 0
        /// Documents of which the gateway has announced a revision before that is unknown here. A continuous session asks for
        /// them first; a one-shot session finds them itself.
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
    /// Ask the gateway to report lost access, for auto-purge or for the application.
    package var wantsRevocations = true
    /// Accept revisions as differences to older ones, and send differences to a gateway that accepts them.
    package var usesDeltas = true
    /// Propose documents again that the gateway refused for lack of access: at the start, and when access is regained.
    package var retriesRefusals = true
    /// Documents that are refused again are not reported; false in a run that begins from the start.
    package var retriesQuietly = true
    /// With how many transfers at a time the session begins.
    package var window = TransferWindow.open
    /// A random mark of this session, which is in all checkpoints that it saves.
    package var mark: String

    package init(collections: [Collection], pushes: Bool, pulls: Bool, mark: String) {
        self.collections = collections
        self.pushes = pushes
        self.pulls = pulls
        self.mark = mark
    }

    /// If the default collection is the only one, `getCollections` is not sent, as in clients before 3.1.
    package var namesCollections: Bool { collections.map(\.name) != [.default] }
}
