import DocumentStore
import DocumentValues
import Foundation

extension Replicator {
    /// The activity of a replicator.
    public enum ActivityLevel: UInt8, Sendable, CaseIterable {
        /// Not running: finished, stopped, or stopped by an error.
        case stopped = 0
        /// Waiting for the network, or for the next attempt.
        case offline
        /// Making a connection, and agreeing on the protocol.
        case connecting
        /// Connected, with nothing to do.
        case idle
        /// Exchanging documents.
        case busy
    }

    /// Documents that are done, and documents that are known so far; both numbers may grow.
    public struct Progress: Sendable, Hashable {
        /// Documents that are done, whether they were sent, received or refused.
        public let completed: UInt64
        /// All documents that are known so far, including those that are done.
        public let total: UInt64

        package init(completed: UInt64, total: UInt64) {
            self.completed = completed
            self.total = total
        }

        static let zero = Progress(completed: 0, total: 0)
    }

    /// The activity of a replicator, its progress and its error.
    public struct Status: Sendable {
        /// Its activity.
        public let activity: ActivityLevel
        /// Its progress.
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

/// The event of a change listener.
public struct ReplicatorChange: Sendable {
    /// The replicator of the event.
    public let replicator: Replicator
    /// Its status now.
    public let status: Replicator.Status
}

/// The event of a document listener: documents that were pushed or pulled, or could not be.
public struct DocumentReplication: Sendable {
    /// The replicator of the event.
    public let replicator: Replicator
    /// Whether the documents were pushed, or else pulled.
    public let isPush: Bool
    /// At least one, in the order in which they were done.
    public let documents: [ReplicatedDocument]
}
