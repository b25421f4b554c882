import DocumentStore
import DocumentValues

/// What may be said of a document besides its content.
public struct DocumentFlags: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The revision is a deletion.
    public static let deleted = DocumentFlags(rawValue: 1 << 0)
    /// The user may not see the document any more.
    public static let accessRemoved = DocumentFlags(rawValue: 1 << 1)
}

/// Whether a document is replicated. It must not change the document, and must be quick.
///
/// Like in Couchbase Lite it need not be `@Sendable`. It is called on a queue of the connection's, one document after the
/// other, and a push filter also where `pendingDocumentIds(collection:)` is: what it keeps besides constants it has to
/// guard.
public typealias ReplicationFilter = (Document, DocumentFlags) -> Bool

/// A revision of a document that a remote has, and that is to be stored.
package struct RemoteChange: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    /// What it comes from at the remote, as far as that has said so.
    package let history: RevisionHistory
    package let body: [UInt8]

    package init(
        documentID: String, revision: RevisionID, history: RevisionHistory = RevisionHistory(), body: [UInt8]
    ) {
        self.revision = revision
        self.history = history
        self.body = body
        self.documentID = documentID
    }
}

/// How one collection is replicated.
public struct CollectionConfiguration: Sendable {
    /// `nil` only in the older way of configuring, where the collection is named beside the configuration.
    var optionalCollection: Collection?

    /// The collection that is replicated. Where none was named yet, one of which everything throws `.notOpen`.
    public var collection: Collection { optionalCollection ?? .unassigned }

    // The application's code goes from where it was given to the queue where it is called. Nothing here calls it from
    // two queues at once, except as said at its types, where the application is notified.

    /// Decides conflicts; `nil` means `ConflictResolver.default`.
    public nonisolated(unsafe) var conflictResolver: (any ConflictResolverProtocol)?
    /// Local changes that it refuses are not pushed. Each start asks for them again: another filter, or none, lets them
    /// through.
    public nonisolated(unsafe) var pushFilter: ReplicationFilter?
    /// Remote changes that it refuses are not stored; and when access is lost, documents it refuses are not purged. What it has
    /// refused does not come again before it changes at the gateway: where another filter would let more through, start once
    /// with `start(reset: true)`.
    public nonisolated(unsafe) var pullFilter: ReplicationFilter?
    /// Is called with the ids of documents that a remote has deleted, while they are still here as they were; on the queue
    /// on which filters are called. What it throws ends the connection.
    package nonisolated(unsafe) var remoteDeletionHandler: (([String]) throws -> Void)?
    /// Is called with what a remote has made of documents, while they are still here as they were; on the queue on which
    /// filters are called. It may be called again with the same, and what it throws ends the connection.
    package nonisolated(unsafe) var remoteChangeHandler: (([RemoteChange]) throws -> Void)?
    /// Whether what the remote had, and has lost, is a conflict with what it has instead: a remote that was restored from a
    /// backup goes on from an older revision. Otherwise the remote's revision replaces it, as in Couchbase Lite: there it is
    /// taken for the other branch of a conflict, which somebody has settled.
    package var keepsLostRevisions = false
    /// Whether the document, as it was pushed, is this user's work. When access is lost to one that the remote has only in an
    /// older revision, since it was restored from a backup, such work is quarantined. Is called where filters are; `nil`: none
    /// is.
    package nonisolated(unsafe) var isOwnWork: ((Document) -> Bool)?
    /// Only documents in these of the user's channels are pulled; `nil` and none: of all of them.
    public var channels: [String]?
    /// Only these documents are pushed and pulled; `nil` and none: all.
    public var documentIDs: [String]?

    /// All of its documents, with the default resolver.
    public init(collection: Collection) { optionalCollection = collection }

    /// One for each collection, as ``init(collection:)`` makes it.
    public static func fromCollections(_ collections: [Collection]) -> [CollectionConfiguration] {
        collections.map(CollectionConfiguration.init)
    }
}
