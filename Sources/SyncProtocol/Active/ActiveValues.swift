import DocumentValues

// MARK: - Push

/// A local change that the gateway may lack, and how it is pushed.
package struct PushCandidate: Sendable, Hashable {
    package internal(set) var change: LocalChange
    /// It was refused in an earlier session and is tried again in silence: no error event if it fails once more.
    package internal(set) var isQuietRetry = false
    /// The gateway could not take it for now, and that is reported; it is tried again in the same session.
    var wasPostponed = false
    /// The gateway could do nothing with a difference.
    var isSentWhole = false

    init(_ change: LocalChange) { self.change = change }

    var sequence: UInt64 { change.sequence }
    package var documentID: String { change.documentID }
    package var revision: RevisionID { change.revision }
    /// What the gateway is believed to have.
    var remoteRevision: RevisionID? { change.remoteRevision }
    var isDeleted: Bool { change.isDeleted }
    var bodySize: Int { change.bodySize }
}

/// Changes that a session has been through before, and that may go now.
package struct RepeatedChanges: Sendable, Hashable {
    /// The gateway refused them in an earlier session.
    package var refused: [LocalChange]
    /// A push filter kept them back when they were read: nobody has proposed them before.
    package var keptBack: [LocalChange]

    package init(refused: [LocalChange], keptBack: [LocalChange] = []) {
        self.refused = refused
        self.keptBack = keptBack
    }

    package var count: Int { refused.count + keptBack.count }
    package var isEmpty: Bool { refused.isEmpty && keptBack.isEmpty }
}

// MARK: - Pull

package enum Examination: Sendable, Hashable {
    /// Digests of the blobs that are not here.
    case accepted(missing: [String])
    /// The pull filter does not want it.
    case vetoed
}

package struct LostDocument: Sendable, Hashable {
    package var documentID: String
    /// What the gateway has of it; `nil` where that cannot be read.
    package var revision: RevisionID?
    /// What came of the document (except for `_removed` and its like); `nil` when only a row came.
    package var body: [UInt8]?
}

package enum PurgeVerdict: Sendable, Hashable {
    case purged
    case notThere
    /// Purging is switched off.
    case kept
    /// A pull filter objected.
    case vetoed
}

package struct ResolvedConflict: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// The remote's content stays; nothing live is left to be pushed.
        case remote
        /// Local or merged content goes on top of the remote's.
        case local
        /// Deleted; perhaps with a tombstone that has yet to be pushed.
        case deleted
        /// It stays in conflict.
        case failed(SyncFailure, remoteIsDeleted: Bool)
    }

    package var documentID: String
    package var outcome: Outcome

    package init(documentID: String, outcome: Outcome) {
        self.documentID = documentID
        self.outcome = outcome
    }
}
