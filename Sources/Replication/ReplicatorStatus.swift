import DocumentStore
import DocumentValues
import Foundation

extension Replicator {
    /// What a replicator is doing.
    public enum ActivityLevel: UInt8, Sendable, CaseIterable {
        /// Not running: finished, stopped, or stopped by an error.
        case stopped = 0
        /// Waiting for the network, or for the next attempt.
        case offline
        case connecting
        /// Connected, with nothing to do.
        case idle
        case busy
    }

    /// Documents done, and known to be to do; both may grow.
    public struct Progress: Sendable, Hashable {
        public let completed: UInt64
        public let total: UInt64

        package init(completed: UInt64, total: UInt64) {
            self.completed = completed
            self.total = total
        }

        static let zero = Progress(completed: 0, total: 0)
    }

    public struct Status: Sendable {
        public let activity: ActivityLevel
        public let progress: Progress
        /// Why it stopped or is offline; a `ReplicationError`.
        public let error: (any Error)?

        package init(activity: ActivityLevel, progress: Progress, error: (any Error)? = nil) {
            self.activity = activity
            self.progress = progress
            self.error = error
        }

        static let initial = Status(activity: .stopped, progress: .zero)
    }
}

/// What a change listener gets.
public struct ReplicatorChange: Sendable {
    public let replicator: Replicator
    public let status: Replicator.Status
}

/// What a document listener gets: documents that were pushed, or pulled, or failed to be.
public struct DocumentReplication: Sendable {
    public let replicator: Replicator
    public let isPush: Bool
    public let documents: [ReplicatedDocument]
}

/// What became of one document.
public struct ReplicatedDocument: Sendable {
    public let id: String
    public let flags: DocumentFlags
    /// A `ReplicationError`.
    public let error: (any Error)?
    public let scope: String
    public let collection: String
    /// False where access was lost to a document that was not here any more, which changes nothing.
    package let wasHere: Bool
}

/// A conflict that was resolved during a replication.
package struct ResolvedDocumentConflict: Sendable {
    package enum Winner: String, Sendable {
        case local, remote, merged
    }

    package let scope: String
    package let collection: String
    package let id: String
    package let winner: Winner
}

/// An attachment that went over the wire.
package struct TransferredAttachment: Sendable {
    package let isPush: Bool
    package let digest: BlobDigest
    package let bytes: UInt64
}
