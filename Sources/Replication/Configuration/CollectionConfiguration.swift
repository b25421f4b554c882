import DocumentStore
import DocumentValues

/// Facts about a document besides its content.
public struct DocumentFlags: OptionSet, Sendable, Hashable {
    /// The bits of the flags.
    public let rawValue: Int

    /// Flags by their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The revision is a deletion.
    public static let deleted = DocumentFlags(rawValue: 1 << 0)
    /// The user may not see the document any more.
    public static let accessRemoved = DocumentFlags(rawValue: 1 << 1)
}

/// Whether a document is replicated. It must not change the document, and must be quick.
///
/// Like in Couchbase Lite it need not be `@Sendable`. It is called on a queue of the connection's, one document after the
/// other. A push filter is also called on the thread that calls `pendingDocumentIds(collection:)`, so it has to guard all
/// state that changes. In a type of the main actor it begins with `{ @Sendable document, flags in`: otherwise it belongs to
/// that actor, and ends the program when it is called.
// Listeners are `@Sendable` parameters, for which `@preconcurrency` makes the errors of Swift 6 warnings. For properties, as
// filters are, they stay errors: published examples whose filters use `self` would not compile.
public typealias ReplicationFilter = (Document, DocumentFlags) -> Bool

/// A revision of a document that a remote has, and that is to be stored.
package struct RemoteChange: Sendable, Hashable {
    @Exact package private(set) var documentID: String
    package let revision: RevisionID
    /// Its ancestors at the remote, as far as the remote has sent them.
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

/// When the attachments of pulled documents come. Those of pushed documents are always sent with them.
package enum AttachmentPull: Sendable, Hashable {
    /// Before their document is stored, as in Couchbase Lite: no document is here without its attachments.
    case withDocuments
    /// Not with this replication: documents are stored without attachments that are not here.
    case later
    /// This replication is for the attachments that its `documentIDs` lack. It begins from the start each time, and all such
    /// replications of a collection share one checkpoint, so that none is left behind for each list of documents.
    case missingOnly
}

/// How one collection is replicated.
public struct CollectionConfiguration: Sendable {
    /// `nil` only in the older way of configuring, where the collection is named beside the configuration.
    var optionalCollection: Collection?

    /// The collection that is replicated. If none was named yet, a collection whose calls all throw `.notOpen`.
    public var collection: Collection { optionalCollection ?? .unassigned }

    // Unsafe, because the application's code is called on another queue than the one that has set it. It is never
    // called on two queues at once, except where the documentation of its type says so.

    /// Decides conflicts; `nil` means `ConflictResolver.default`.
    public nonisolated(unsafe) var conflictResolver: (any ConflictResolverProtocol)?
    /// Local changes that it refuses are not pushed. Each start asks the filter again, so another filter, or none, may
    /// let them through.
    public nonisolated(unsafe) var pushFilter: ReplicationFilter?
    /// Remote changes that it refuses are not stored; and when access is lost, documents it refuses are not purged. A refused
    /// document does not come again before it changes at the gateway. After a change of the filter, start once with
    /// `start(reset: true)`.
    public nonisolated(unsafe) var pullFilter: ReplicationFilter?
    /// Called with the ids of documents that a remote has deleted, while they are still unchanged here; on the queue of
    /// filters. An error that it throws ends the connection.
    package nonisolated(unsafe) var remoteDeletionHandler: (([String]) throws -> Void)?
    /// Called with a remote's changes of documents, while these are still unchanged here; on the queue of filters. It
    /// may be called again with the same changes. An error that it throws ends the connection.
    package nonisolated(unsafe) var remoteChangeHandler: (([RemoteChange]) throws -> Void)?
    /// Whether a revision that the remote had, and has lost, is a conflict with the remote's present one: a remote that was
    /// restored from a backup goes on from an older revision. If false, the remote's revision replaces the lost one, as in
    /// Couchbase Lite, which takes it for the losing branch of a settled conflict.
    package var keepsLostRevisions = false
    /// Whether a pushed document is this user's work. If access to a document is lost, and the remote has only an older
    /// revision because it was restored from a backup, such work is quarantined. Called on the queue of filters; `nil` means
    /// that no document is.
    package nonisolated(unsafe) var isOwnWork: ((Document) -> Bool)?
    /// Whether the others are exchanged where the gateway has no such collection, as one that was set up for an earlier
    /// version of the application. Otherwise that ends the replication with the error 404.
    package var mayBeMissing = false
    /// When its changes are pulled: those of turn 1 when all of turn 0 are here, and so on. Pushes do not wait.
    package var pullTurn = 0
    /// When the attachments of pulled documents come.
    package var attachmentPull = AttachmentPull.withDocuments
    /// Only documents in these of the user's channels are pulled; `nil` or empty: the documents of all channels.
    public var channels: [String]?
    /// Only these documents are pushed and pulled; `nil` or empty: all documents.
    public var documentIDs: [String]?

    /// Replicates all documents, with the default resolver.
    public init(collection: Collection) { optionalCollection = collection }

    /// A configuration for each collection, as ``init(collection:)`` makes it.
    public static func fromCollections(_ collections: [Collection]) -> [CollectionConfiguration] {
        collections.map(CollectionConfiguration.init)
    }
}
