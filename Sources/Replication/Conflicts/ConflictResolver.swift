import DocumentStore
import DocumentValues

/// Two revisions of a document of which neither descends from the other.
public struct Conflict: Sendable {
    /// The same on both sides.
    public let documentID: String
    /// `nil` if it was deleted here.
    public let localDocument: Document?
    /// `nil` if it was deleted there.
    public let remoteDocument: Document?
    /// The content from which both sides started, if it is still known; a field-by-field merge needs it.
    public let baseDocument: Document?
    /// Whether the gateway's history does not reach the base. A gateway that was restored from a backup may have lost that
    /// version, and then its own does not descend from it.
    package let isBaseDoubtful: Bool
}

/// Decides the content of a document that was changed on both sides.
///
/// Like in Couchbase Lite it need not be `Sendable`. A connection calls it on a queue of its own, one conflict after
/// the other. Guard its mutable state if several replicators share the resolver, or if it is slow: the next connection
/// may call it while a call of the last one still runs.
///
/// Where several folders exchange the same documents with several gateways, it should decide by the content of the
/// documents, not by which of them is the local one. Otherwise folders that each let the other side win may exchange the
/// two contents for some seconds, until one has caught up with the other.
public protocol ConflictResolverProtocol {
    /// Returns the local or the remote document, another one with merged content, or `nil` to delete it.
    ///
    /// Other documents are checked as `save(document:)` checks them, and stored under the id of the conflict.
    ///
    /// It is called again for the same document if that has changed during the call. If it throws, the conflict stays,
    /// and the resolver is called again at the next start.
    func resolve(conflict: Conflict) throws -> Document?
}

/// The rule that is used if a configuration names no other.
public final class ConflictResolver: Sendable {
    /// A deletion wins; otherwise the revision with more ancestors, then the one whose id is greater.
    public static var `default`: any ConflictResolverProtocol { DefaultConflictResolver() }
}

struct DefaultConflictResolver: ConflictResolverProtocol {
    func resolve(conflict: Conflict) -> Document? {
        guard let local = conflict.localDocument, let remote = conflict.remoteDocument else { return nil }
        guard let ours = local.revision, let theirs = remote.revision else { return remote }
        return ours.wins(over: theirs) ? local : remote
    }

    /// The same for stored revisions, without making documents of them.
    static func resolution(of conflict: DocumentConflict) -> ConflictResolution {
        if conflict.remote.isDeleted { return .remote }
        if conflict.local.isDeleted { return .deleted }
        return conflict.local.revision.wins(over: conflict.remote.revision) ? .local : .remote
    }
}
