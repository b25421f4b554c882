import DocumentValues
import FieldModels
import FieldRecords

/// What a command came to, before anybody writes it down as text or as JSON.
public enum CommandResult: Sendable {
    case done(Done)
    case listing(Listing)
    case groups(RecordGroups)
    case detail(Detail)
    case status(StatusReport)
    case imported(ImportReport, reportFile: String?)
    case exported(ExportReport)
    case synced(SyncReport)
    case quarantine([QuarantinedRecord])
    case outbox([RefusedRecord])
    case conflicts([ConflictRow])
    case more
    case help(CommandName?)
    case quit

    /// 0, or 1 where the command ran but did not do all that it is for.
    public var exitStatus: Int32 {
        // A service that was asked to end has done what it is for, whatever waits in the outbox.
        guard case .synced(let report) = self, report.by != .endingService else { return 0 }
        return report.failures.isEmpty && report.refused == 0 ? 0 : 1
    }
}

/// Something was done: a sentence for people, and what it was done to for programs.
public struct Done: Sendable, Hashable {
    public var text: String
    public let object: JSONObject

    public init(_ text: String, object: JSONObject) {
        self.text = text
        self.object = object
    }
}

/// Records with numbers to refer to.
public struct Listing: Sendable, Hashable {
    public struct Row: Sendable, Hashable {
        public let reference: RecordReference
        public let cells: [String]
        public let object: JSONObject
    }

    public let kind: RecordKind
    public let columns: [String]
    public var rows: [Row]
    /// Documents of the collection that are no such records.
    public var unreadable: [RecordError]
    /// Sentences behind the rows.
    public var notes: [String] = []
}

/// A record with all that belongs to it.
public struct Detail: Sendable, Hashable {
    public struct Section: Sendable, Hashable {
        public let title: String
        public let lines: [String]
    }

    public let title: String
    /// `nil` for a document of another application in the same folder.
    public let reference: RecordReference?
    public let fields: [Field]
    public var sections: [Section] = []
    public let object: JSONObject

    public struct Field: Sendable, Hashable {
        public let label: String
        public let value: String
    }
}

/// Who one is, what is here, what waits.
public struct StatusReport: Sendable, Hashable {
    public var folder: String
    public var gateway: String?
    public var user: String?
    public var isSealedByPassphrase: Bool
    /// In the order of the kinds.
    public var counts: [Count]
    public var outbox: Int
    public var quarantine: Int
    public var drafts: Int
    /// Records about which somebody has to decide.
    public var conflicts: Int = 0
    /// Inspections that were sent back to the person who has signed in.
    public var returned: [ReturnedInspection] = []
    public var sync = SyncStatus()

    /// Records that the gateway does not have as they are here, refused ones among them.
    public var unsent: Int { counts.reduce(0) { $0 + ($1.waiting ?? 0) } }

    public struct Count: Sendable, Hashable {
        public let kind: RecordKind
        public let count: Int
        /// Records that the gateway does not have in their present form; `nil` before the first login.
        public let waiting: Int?
    }
}

/// What a sync brought.
public struct SyncReport: Sendable, Hashable, Codable {
    public var pushed: [RecordKind: Int] = [:]
    public var pulled: [RecordKind: Int] = [:]
    public var purged: [RecordKind: Int] = [:]
    public var failures: [Failure] = []
    /// Deletions, apart from what they are counted in nowhere else.
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
    public var quarantined = 0
    /// By how many seconds this laptop's clock is ahead of the gateway's, or behind where it is negative; `nil` where they
    /// agree.
    public var secondsAhead: Int64?
    public var milliseconds = 0
    /// Records in the outbox at the end of which nobody has said what is to become of them.
    public var refused = 0
    public var end = End.complete
    public var by = Performer.command

    /// Who did it.
    public enum Performer: String, Sendable, Hashable, Codable {
        /// The command that somebody typed.
        case command
        /// The sync service, because it was asked.
        case service
        /// The sync service, whose last word this is.
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
        public internal(set) var words: String
        /// What people know the record by.
        public internal(set) var title: String?
        public let code: Int
        /// What the gateway said.
        var reason: String?

        /// The record was changed on the other side.
        var isConflict: Bool { isPush && code % 10_000 == 409 }
    }

    public init() {}
}
