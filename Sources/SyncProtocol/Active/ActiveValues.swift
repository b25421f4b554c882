import DocumentValues

// MARK: - Push

/// A local change that the gateway may lack, and how it is pushed.
package struct PushCandidate: Sendable, Hashable {
    package internal(set) var change: LocalChange
    /// The change was refused in an earlier session and is now tried again quietly: no error event if it fails once
    /// more.
    package internal(set) var isQuietRetry = false
    /// The gateway could not take the change for now, and that was reported; the same session tries it again.
    var wasPostponed = false
    /// The gateway could not apply a difference.
    var isSentWhole = false

    init(_ change: LocalChange) { self.change = change }

    var sequence: UInt64 { change.sequence }
    package var documentID: String { change.documentID }
    package var revision: RevisionID { change.revision }
    /// The revision that the gateway is believed to have.
    var remoteRevision: RevisionID? { change.remoteRevision }
    var isDeleted: Bool { change.isDeleted }
    var bodySize: Int { change.bodySize }
}

/// Changes that earlier sessions did not send, and that may be sent now.
package struct RepeatedChanges: Sendable, Hashable {
    /// The gateway refused them in an earlier session.
    package var refused: [LocalChange]
    /// A push filter kept them back when they were read: no session has proposed them before.
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
    /// `missing`: digests of the blobs that this side does not have.
    case accepted(missing: [String])
    /// The pull filter rejects the revision.
    case vetoed
}

package struct LostDocument: Sendable, Hashable {
    package var documentID: String
    /// The revision that the gateway has; `nil` if it cannot be parsed.
    package var revision: RevisionID?
    /// The body that came (except for `_removed` and the like); `nil` if only a row came.
    package var body: [UInt8]?
}

package enum PurgeVerdict: Sendable, Hashable {
    case purged
    case notThere
    /// Purging is switched off.
    case kept
    /// A pull filter objected.
    case vetoed
    /// It could not be purged; another session tries it again.
    case failed(SyncFailure)
}

package struct ResolvedConflict: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// The remote's content stays; no live content has to be pushed.
        case remote
        /// Local or merged content becomes a child of the remote's revision.
        case local
        /// The document is deleted; there may be a tombstone to push.
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
