import FieldModels
import FieldRecords

/// The result of a sync.
public struct SyncReport: Sendable, Hashable, Codable {
    public var pushed: [RecordKind: Int] = [:]
    public var pulled: [RecordKind: Int] = [:]
    public var purged: [RecordKind: Int] = [:]
    public var failures: [Failure] = []
    /// Deletions; `pushed` and `pulled` do not count them.
    public var pushedDeletions: [RecordKind: Int] = [:]
    public var pulledDeletions: [RecordKind: Int] = [:]
    /// Records that other users have deleted, and that can be restored.
    public var deleted: [NamedRecord] = []
    public var sentPhotos = Photos()
    public var receivedPhotos = Photos()
    /// Records that had been changed on both sides, with the results.
    public var merged: [MergedRecord] = []
    /// Pulled records that need a decision, because several users have changed them at the same time.
    public var undecided: [RecordKind: Int] = [:]
    /// Inspections that came back from a supervisor.
    public var returned: [ReturnedInspection] = []
    /// Approved inspections with findings that have changed since the approval, if this sync concerned them.
    public var changedApprovals: [NamedRecord] = []
    /// Findings that were moved to the present site of their inspection.
    public var followed: [NamedRecord] = []
    /// Assignments that the user has begun, and that belong to another user by now.
    @LaterMember public var handedOver: [NamedRecord] = []
    /// Assignments with several inspections, one of which the user still has to do.
    @LaterMember public var repeated: [NamedRecord] = []
    /// The person's own records that others have changed or handed in.
    @LaterMember public var changedByOthers: [NamedRecord] = []
    /// The counts of records that a shortened report leaves out of its lists.
    public var unnamed = Unnamed()
    /// Edits that the sync has put into the quarantine.
    public var quarantined = 0
    /// Edits in the quarantine at the end; `nil` in a report of an earlier version.
    public var inQuarantine: Int?
    /// By how many seconds this laptop's clock is ahead of the gateway's, negative if it is behind; `nil` if they agree.
    public var secondsAhead: Int64?
    /// Why the status cannot show this sync; `nil` if it does.
    public var unnotedBecause: String?
    public var milliseconds = 0
    /// Records in the outbox at the end that need a decision.
    public var refused = 0
    /// Deletions among them; `nil` in a report of an earlier version.
    public var refusedDeletions: Int?
    /// Records of other users that the gateway has lost, and that their laptops send again.
    @LaterMember public var awaited = 0
    public var end = End.complete
    public var by = Performer.command

    /// The program that has done the sync.
    public enum Performer: String, Sendable, Hashable, Codable {
        /// A command that a person typed.
        case command
        /// The sync service, on request.
        case service
        /// The sync service, whose last report this is.
        case endingService
    }

    /// How it ended.
    public enum End: String, Sendable, Hashable, Codable {
        case complete
        /// It was stopped.
        case stopped
        /// It was stopped before it had reached the gateway.
        case stoppedOffline
    }

    /// A record, with its title for people.
    public struct NamedRecord: Sendable, Hashable, Codable {
        public let reference: RecordReference
        /// `site mill, Old mill`.
        public let line: String

        public init(reference: RecordReference, line: String) {
            self.reference = reference
            self.line = line
        }
    }

    /// Photos and other files that were sent or received.
    public struct Photos: Sendable, Hashable, Codable {
        public var count = 0
        public var bytes: UInt64 = 0

        public init() {}
    }

    public struct Failure: Sendable, Hashable, Codable {
        public let isPush: Bool
        public let reference: RecordReference
        public internal(set) var message: String
        /// The record's title for people.
        public internal(set) var title: String?
        /// The refused change, if the record is in the outbox.
        public internal(set) var change: RefusedRecord.Change?
        public let code: Int
        /// The gateway's reason.
        var reason: String?

        /// Earlier versions have written `words`, and a laptop's notes last longer than a version.
        private enum CodingKeys: String, CodingKey {
            case isPush
            case reference
            case message = "words"
            case title
            case change
            case code
            case reason
        }

        /// The record was changed on the other side.
        var isConflict: Bool { isPush && code % 10_000 == 409 }
    }

    public init() {}
}
