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
        /// Making a connection, and agreeing on the protocol.
        case connecting
        /// Connected, with nothing to do.
        case idle
        /// Exchanging documents.
        case busy
    }

    /// Documents done, and known to be to do; both may grow.
    public struct Progress: Sendable, Hashable {
        /// Documents that are done, whether they were sent, received or refused.
        public let completed: UInt64
        /// Documents that are known to be to do, those that are done among them.
        public let total: UInt64

        package init(completed: UInt64, total: UInt64) {
            self.completed = completed
            self.total = total
        }

        static let zero = Progress(completed: 0, total: 0)
    }

    /// What a replicator is doing, how far it is, and what is wrong.
    public struct Status: Sendable {
        /// What it is doing.
        public let activity: ActivityLevel
        /// How far it is.
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
    /// The replicator that it is about.
    public let replicator: Replicator
    /// Its status now.
    public let status: Replicator.Status
}

/// What a document listener gets: documents that were pushed, or pulled, or failed to be.
public struct DocumentReplication: Sendable {
    /// The replicator that it is about.
    public let replicator: Replicator
    /// Whether the documents were pushed, or else pulled.
    public let isPush: Bool
    /// At least one, in the order in which they were done.
    public let documents: [ReplicatedDocument]
}
