import DocumentValues

/// The flags of a document's row.
struct DocumentRowFlags: OptionSet, Sendable, Hashable {
    let rawValue: Int64

    static let deleted = Self(rawValue: 1)
    static let hasBlobs = Self(rawValue: 2)
    static let inConflict = Self(rawValue: 4)
    /// The edits came back from the quarantine, and no remote has them: the document had been purged here.
    static let restored = Self(rawValue: 8)
}

/// A row of a collection's table.
struct CollectionDocument: Sendable {
    var sequence: UInt64
    let id: String
    var revision: RevisionID
    /// Ancestors as stored; parsed only when they are read.
    var historyText: String
    var remotes: RemoteRevisions
    var flags: DocumentRowFlags
    /// Nanoseconds since 1970.
    var timestamp: UInt64
    /// Seconds since 1970.
    var expiration: Double?
    var body: [UInt8]

    var isDeleted: Bool { flags.contains(.deleted) }

    /// Its time has come, whether it is purged already or not.
    var hasExpired: Bool { expiration.map { $0 <= StoreInstant.now.seconds } ?? false }

    var history: RevisionHistory {
        get throws {
            guard let history = RevisionHistory(parsing: historyText) else {
                throw StoreError(.corruptData, message: "A stored history cannot be read.", context: ["document": id])
            }
            return history
        }
    }

    var ancestry: Ancestry { get throws { Ancestry(revision: revision, history: try history) } }

    /// Whether this is a deletion under that id. A user who sees a document can compute the id beforehand, and may
    /// store a live revision under it.
    func isDeletion(under revision: RevisionID) -> Bool { isDeleted && self.revision == revision }

    func localRevision(remote: Int64?) throws -> LocalRevision {
        LocalRevision(
            documentID: id, revision: revision, history: try history, isDeleted: isDeleted, body: body,
            sequence: sequence, remoteRevision: remote.flatMap { remotes[$0] }, hasBlobs: flags.contains(.hasBlobs),
            isKnownToRemote: remote.flatMap { remotes.local(of: $0) } == revision)
    }
}

/// The revision, timestamp and sequence that a document gets from its row.
struct SavedRevision: Sendable {
    let revision: RevisionID
    let sequence: UInt64
    /// Nanoseconds since 1970.
    let timestamp: UInt64
    let isDeleted: Bool
}

extension SavedRevision {
    init(_ document: CollectionDocument) {
        self.init(
            revision: document.revision, sequence: document.sequence, timestamp: document.timestamp,
            isDeleted: document.isDeleted)
    }
}

extension RevisionHistory {
    /// The history of a child of `revision`, cut to the limit. Revisions that remotes are known to have are never cut
    /// off: a push must reach down to them.
    func extended(by revision: RevisionID, keeping remotes: RemoteRevisions) -> RevisionHistory {
        trimmed([revision] + ancestors, keeping: remotes)
    }

    func trimmed(keeping remotes: RemoteRevisions) -> RevisionHistory { trimmed(ancestors, keeping: remotes) }

    private func trimmed(_ revisions: [RevisionID], keeping remotes: RemoteRevisions) -> RevisionHistory {
        guard revisions.count > StoreLimits.history else { return RevisionHistory(revisions) }
        let kept = revisions.dropFirst(StoreLimits.history).filter { remotes.contains($0) }
        return RevisionHistory(Array(revisions.prefix(max(0, StoreLimits.history - kept.count))) + kept)
    }
}
