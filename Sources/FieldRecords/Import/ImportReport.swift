import DocumentValues

/// The results of an import, with every odd row by its file and line.
public struct ImportReport: Sendable {
    /// Rows, by the kind of record they became.
    public internal(set) var counts: [ImportCount] = []
    /// In the order of the files and of their lines.
    public internal(set) var notes: [ImportNote] = []
    /// New records with ids that no laptop makes: gateways take them from the office alone.
    public internal(set) var addedForOffice = 0
    /// Codes of districts of the files' sites in which the gateway has no record: typing errors, or districts that no user
    /// has yet.
    public internal(set) var strayDistricts: [String] = []
    /// Nothing was written; the counts are what an import would do.
    public internal(set) var isPreview = false
    /// In a preview, the first records of each file that would be new or changed.
    public internal(set) var samples: [ImportSample] = []

    public init() {}

    /// Rows that no record could be made of.
    public var leftOut: Int { counts.reduce(0) { $0 + $1.leftOut } }

    /// How many notes there are of each kind, in the order of the kinds.
    public var totals: [(kind: ImportNote.Kind, count: Int)] {
        var totals: [ImportNote.Kind: Int] = [:]
        for note in notes { totals[note.kind, default: 0] += 1 }
        return ImportNote.Kind.allCases.compactMap { kind in totals[kind].map { (kind, $0) } }
    }

    /// All notes as a table: `file,line,column,record,kind,what,became`.
    public var csv: [UInt8] {
        var writer = CSVWriter()
        writer.append(["file", "line", "column", "record", "kind", "what", "became"])
        for note in notes {
            let line = String(note.line)
            writer.append([
                note.file, line, note.column ?? "", note.record ?? "", note.kind.rawValue, note.what, note.outcome,
            ])
        }
        return writer.bytes
    }
}

/// The results for the rows of one file.
public struct ImportCount: Sendable, Hashable {
    @Exact public private(set) var file: String
    /// The plural name of the records: `sites`.
    @Exact public private(set) var records: String
    public internal(set) var rows = 0
    public internal(set) var added = 0
    public internal(set) var updated = 0
    public internal(set) var unchanged = 0
    /// Changed or deleted here since the last import, so left as they are.
    public internal(set) var kept = 0
    /// Rows that no record could be made of; each has a note.
    public internal(set) var leftOut = 0

    /// No row of the file could be used.
    public var isLeftOut: Bool { rows > 0 && leftOut == rows }

    /// Rows whose record is here as it should be.
    var done: Int { added + updated + unchanged + kept }

    init(file: String, records: String) {
        self.file = file
        self.records = records
    }
}

/// A record that a row of a file would make or change.
public struct ImportSample: Sendable, Hashable {
    @Exact public private(set) var file: String
    public let line: Int
    @Exact public private(set) var id: String
    public let body: JSONObject
    /// `score 80 → 88`, one for each field; `nil` for a new record.
    public let changes: [String]?
}

/// One odd row, and its result.
public struct ImportNote: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case bytesNotUTF8
        case malformedRow
        case fieldCount
        case leftOut
        case idTwice
        case postalCodeMissing
        case postalCodeOdd
        case valueOdd
        case sameSiteAndDay
        case siteUnknown
        case findingWithoutInspection
        case severalInspections
        case sameFindingTwice
        case changedHere
        case deletedHere
        case notFromTable
        case inspectionMoved
        case fileIgnored

        /// For a person, in the plural.
        public var title: String {
            switch self {
            case .bytesNotUTF8: "rows in another encoding than UTF-8"
            case .malformedRow: "rows with misplaced quotation marks"
            case .fieldCount: "rows with too few or too many fields"
            case .leftOut: "rows that no record could be made of"
            case .idTwice: "rows with an id that another row has, too"
            case .postalCodeMissing: "sites without a postal code"
            case .postalCodeOdd: "sites with an odd postal code"
            case .valueOdd: "values of a wrong kind"
            case .sameSiteAndDay: "inspections of the same site on the same day"
            case .siteUnknown: "rows of an unknown site"
            case .findingWithoutInspection: "findings without an inspection"
            case .severalInspections: "findings of a day with several inspections"
            case .sameFindingTwice: "findings that are there twice"
            case .changedHere: "records changed here since the last import"
            case .deletedHere: "records deleted here since the last import"
            case .notFromTable: "values that are not taken from a table"
            case .inspectionMoved: "inspections that go to another site with their findings"
            case .fileIgnored: "files passed over"
            }
        }
    }

    public let kind: Kind
    @Exact public private(set) var file: String
    /// 0 where the note is about the whole file.
    public let line: Int
    /// As the file's first row has it; `nil` where the note is about the whole row.
    @Exact public private(set) var column: String?
    /// The document's id.
    @Exact public private(set) var record: String?
    public let what: String
    public let outcome: String
}
