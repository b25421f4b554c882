import DocumentValues
import FieldModels
import FieldRecords
import FieldSync

/// The result of a command, before it is rendered as text or as JSON.
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
    case form(FormOutput)
    case more
    case help(CommandName?)
    case quit

    /// 0, or 1 where the command ran but did not do all that it is for.
    public var exitStatus: Int32 {
        if case .form(let output) = self { return output.exitStatus }
        if case .imported(let report, _) = self { return report.counts.contains(where: \.isLeftOut) ? 1 : 0 }
        // A service that was asked to end has succeeded, even if records wait in the outbox.
        guard case .synced(let report) = self, report.by != .endingService else { return 0 }
        return report.failures.isEmpty && report.waiting.refused == 0 ? 0 : 1
    }
}

/// A finished action: a sentence for people, and its object for programs.
public struct Done: Sendable, Hashable {
    public var text: String
    public let object: JSONObject

    public init(_ text: String, object: JSONObject) {
        self.text = text
        self.object = object
    }

    /// The same, behind an action that was done first.
    func after(_ first: Done) -> Done { Done("\(first.text)\n\(text)", object: object) }
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

/// The user, the folder, and the waiting records.
public struct StatusReport: Sendable, Hashable {
    public var folder: String
    public var gateway: String?
    public var user: String?
    public var isSealedByPassphrase: Bool
    public var lock = Lock.open
    /// In the order of the kinds.
    public var counts: [Count]
    public var outbox: Int
    public var quarantine: Int
    /// Open assignments of today, and those of earlier days.
    public var due = 0
    public var overdue = 0
    /// Of the user, as `today` has them.
    public var drafts: Int
    /// Filled forms of the user.
    public var responses = ResponseCounts()
    /// Filled forms that the gateway has refused.
    public var refusedResponses = 0
    /// Records about which a person has to decide.
    public var conflicts: Int = 0
    /// Inspections that were sent back to the person who has signed in.
    public var returned: [ReturnedInspection] = []
    public var sync = SyncStatus()
    /// When photos of others come.
    public var photos = PhotoPolicy.always
    /// Photos of records that are not on this laptop; `nil` if that cannot be said without opening the key.
    public var absentPhotos: Int?

    /// Records that the gateway does not have as they are here, refused ones among them.
    public var unsent: Int { counts.reduce(0) { $0 + ($1.waiting ?? 0) } }

    /// Whether the photos can be opened now.
    public enum Lock: String, Sendable, Hashable {
        case open
        /// The first command that needs a photo opens them.
        case onRequest
        /// The passphrase was not given.
        case locked
    }

    public struct Count: Sendable, Hashable {
        public let kind: RecordKind
        public let count: Int
        /// Records that the gateway does not have in their present form; `nil` before the first login.
        public let waiting: Int?
    }
}
