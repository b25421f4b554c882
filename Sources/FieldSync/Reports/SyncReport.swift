import FieldModels
import FieldRecords

/// What a sync brought.
public struct SyncReport: Sendable, Hashable, Codable {
    public var pushed: [RecordKind: Int] = [:]
    public var pulled: [RecordKind: Int] = [:]
    public var purged: [RecordKind: Int] = [:]
    public var failures: [Failure] = []
    /// Deletions; `pushed` and `pulled` do not count them.
    public var pushedDeletions: [RecordKind: Int] = [:]
    public var pulledDeletions: [RecordKind: Int] = [:]
    /// What others have deleted and can be brought back.
    public var deleted: [NamedRecord] = []
    public var sentPhotos = Photos()
    public var receivedPhotos = Photos()
    /// Records that had been changed on both sides, with what became of them.
    public var merged: [MergedRecord] = []
    /// Of the records that came, those about which something is to be decided since others have changed them at once.
    public var undecided: [RecordKind: Int] = [:]
    /// Inspections that came back from a supervisor.
    public var returned: [ReturnedInspection] = []
    /// Approved inspections with findings that were changed since, and that this sync had to do with.
    public var changedApprovals: [NamedRecord] = []
    /// Findings that were brought to where their inspection is by now.
    public var followed: [NamedRecord] = []
    /// Assignments that the person has begun, and that are somebody else's by now.
    @LaterMember public var handedOver: [NamedRecord] = []
    /// Assignments with several inspections, one of which the person still has to do.
    @LaterMember public var repeated: [NamedRecord] = []
    /// The person's own records that others have changed or handed in.
    @LaterMember public var changedByOthers: [NamedRecord] = []
    /// What a report that was cut leaves out of its lists.
    public var unnamed = Unnamed()
    /// Edits that the sync has put into the quarantine.
    public var quarantined = 0
    /// Those that are there at the end; `nil` where an earlier version has counted.
    public var inQuarantine: Int?
    /// By how many seconds this laptop's clock is ahead of the gateway's, or behind where it is negative; `nil` where they
    /// agree.
    public var secondsAhead: Int64?
    /// Why the status cannot show that this sync was; `nil` where it does.
    public var unnotedBecause: String?
    public var milliseconds = 0
    /// Records in the outbox at the end of which nobody has said what is to become of them.
    public var refused = 0
    /// Of those, the deletions; `nil` where an earlier version has counted.
    public var refusedDeletions: Int?
    /// Records of others that the gateway has lost, and that come back from their laptops.
    @LaterMember public var awaited = 0
    public var end = End.complete
    public var by = Performer.command

    /// Who did it.
    public enum Performer: String, Sendable, Hashable, Codable {
        /// The command that somebody typed.
        case command
        /// The sync service, because it was asked.
        case service
        /// The sync service, whose last report this is.
        case endingService
    }

    /// How it came to its end.
    public enum End: String, Sendable, Hashable, Codable {
        case complete
        /// Somebody stopped it.
        case stopped
        /// Somebody stopped it before it had reached the gateway.
        case stoppedOffline
    }

    /// A record, and what people know it by.
    public struct NamedRecord: Sendable, Hashable, Codable {
        public let reference: RecordReference
        /// `site mill, Old mill`.
        public let line: String

        public init(reference: RecordReference, line: String) {
            self.reference = reference
            self.line = line
        }
    }

    /// Photos and other files that went over the wire.
    public struct Photos: Sendable, Hashable, Codable {
        public var count = 0
        public var bytes: UInt64 = 0

        public init() {}
    }

    public struct Failure: Sendable, Hashable, Codable {
        public let isPush: Bool
        public let reference: RecordReference
        public internal(set) var message: String
        /// What people know the record by.
        public internal(set) var title: String?
        /// What was to be sent, of what is in the outbox.
        public internal(set) var change: RefusedRecord.Change?
        public let code: Int
        /// What the gateway said.
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
