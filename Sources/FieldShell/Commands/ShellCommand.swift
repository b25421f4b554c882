import DocumentValues
import FieldModels
import FieldRecords

/// A command as it was meant: every argument understood, nothing looked up yet.
public enum ShellCommand: Sendable, Hashable {
    case initialize(usesKeyFile: Bool)
    case login(LoginRequest)
    case passphrase(PassphraseChange)
    /// Gives up the data sealed with a forgotten passphrase.
    case passphraseForgotten(PassphraseChange)
    case today
    case start(assignment: String)
    case list(ListRequest)
    /// The deleted records, here or by others; `nil` for all kinds.
    case listDeleted(RecordKind?)
    /// Changes by others in the user's own records.
    case listChanged
    case find(FindRequest)
    case log(record: String)
    /// Two versions by their numbers, or the last ones.
    case diff(record: String, versions: [String])
    case view(ViewAction)
    /// `nil` for the last change; otherwise a record that was deleted.
    case undo(record: String?)
    /// The language is that of a filled form's labels.
    case show(record: String, language: String? = nil)
    case new(NewRequest)
    case edit(record: String, values: [FieldValue])
    case attach(record: String, file: String, caption: String?)
    case photo(PhotoRequest)
    case submit(record: String)
    case approve(record: String)
    /// The reason is `nil` where it is asked for, and the question for a whole record.
    case sendBack(record: String, reason: String?, question: String? = nil)
    case delete(record: String)
    /// All that one person has found at an inspection.
    case deleteFindings(inspection: String, user: String)
    case sync(SyncOptions)
    case service(ServiceRequest)
    case status
    case outbox(OutboxAction)
    case conflicts(ConflictAction)
    case quarantine(QuarantineAction)
    case importFiles(ImportRequest)
    case export(folder: String, format: RecordExport.Format)
    /// The filled forms of one form.
    case exportResponses(ResponseExportRequest)
    case form(FormRequest)
    case fill(FillRequest)
    case shell(replay: String?)
    case more
    case help(CommandName?)
    case quit
}

public struct LoginRequest: Sendable, Hashable {
    public var gateway: String?
    public var user: String?
    public var passwordFile: String?
    public var isSelfSigned = false
    public var pinnedCertificate: String?
    /// Keep the password without trying it.
    public var isOffline = false
}

/// How the photos are protected from now on.
public enum PassphraseChange: Sendable, Hashable {
    /// By a passphrase that is asked for.
    case asked
    /// By the first line of a file.
    case file(String)
    /// By a key in the folder.
    case keyFile
}

public struct SyncOptions: Sendable, Hashable {
    /// Goes on until it is asked to end: the sync service.
    public var isContinuous = false
    /// Compares everything again.
    public var resets = false
    /// When photos come from now on; `nil` leaves the setting.
    public var photos: PhotoPolicy?
    /// Where the password is, instead of the one that was kept.
    public var passwordFile: String?
}

public struct ServiceRequest: Sendable, Hashable {
    public enum Action: String, Sendable, Hashable, CaseIterable {
        case install
        case uninstall
        case status
    }

    public var action: Action
    public var passwordFile: String?
    /// Only write the unit.
    public var startsNothing = false
}

public struct ListRequest: Sendable, Hashable {
    public var kind: RecordKind
    public var terms: [String] = []
    public var status: String?
    public var site: String?
    public var district: String?
    public var mineOnly = false
    /// Days as they were typed.
    public var since: String?
    public var until: String?
    /// The form that is answered, as it was typed.
    public var form: String?
    public var score: ScoreRange?
    public var sort: Sort?

    init(_ kind: RecordKind) { self.kind = kind }

    /// The order of a list; without one the newest is first.
    public struct Sort: Sendable, Hashable {
        public enum Column: String, Sendable, Hashable, CaseIterable {
            case date
            case form
            case name
            case score
            case site
            case status
        }

        public var column: Column
        public var isReversed = false

        /// Those of a kind of records; none where a list has one order only.
        static func columns(of kind: RecordKind) -> [Column] {
            switch kind {
            case .inspection: [.date, .score, .site, .status]
            case .response: [.date, .form, .name, .site, .status]
            case .site, .finding, .form, .assignment: []
            }
        }
    }
}

public struct FindRequest: Sendable, Hashable {
    public var text: String
    /// Days as they were typed.
    public var since: String?
    public var until: String?
}

public struct PhotoRequest: Sendable, Hashable {
    public enum Action: String, Sendable, Hashable, CaseIterable {
        case list
        case open
        case save
        case remove
        case rename
        case caption

        /// Whether the bytes of the photo are read.
        var needsContent: Bool {
            switch self {
            case .open, .save: true
            case .list, .remove, .rename, .caption: false
            }
        }

        var changesPhotos: Bool {
            switch self {
            case .list, .open, .save: false
            case .remove, .rename, .caption: true
            }
        }
    }

    public var action: Action
    public var record: String
    /// A number or a name; `nil` for the only one.
    public var photo: String?
    /// Where it is saved, its new name or its new caption.
    public var target: String?
}

public struct NewRequest: Sendable, Hashable {
    public var kind: RecordKind
    /// The site of an inspection, the inspection of a finding.
    public var owner: String?
    /// The document ids of an inspection's form and of the assignment that it is made for.
    var form: String?
    var assignment: String?
    public var values: [FieldValue] = []
    public var findings: [String] = []

    init(_ kind: RecordKind) { self.kind = kind }
}

/// `score=88`.
public struct FieldValue: Sendable, Hashable {
    public let field: String
    public let text: String

    public init(_ field: String, text: String) {
        self.field = field
        self.text = text
    }
}

/// Actions for refused records; each names its record by the number in the outbox, or by the id.
public enum OutboxAction: Sendable, Hashable {
    case list
    case show(String)
    /// `nil` for all of them.
    case retry(String?)
    /// All that waits for the laptop of a user, which is lost.
    case retryOf(user: String)
    /// `nil` for all of them.
    case keep(String?)
    /// `nil` for all of them.
    case discard(String?)
}

public enum QuarantineAction: Sendable, Hashable {
    case list
    case show(String)
    case restore(String)
    case discard(String)
}

/// The files to import, and the options.
public struct ImportRequest: Sendable, Hashable {
    @Exact public private(set) var paths: [String]
    /// Where the list of the odd rows goes; `nil` for the folder of reports.
    @Exact public private(set) var report: String?
    public var options = ImportOptions()

    public init(paths: [String], report: String? = nil) {
        self.paths = paths
        self.report = report
    }
}
