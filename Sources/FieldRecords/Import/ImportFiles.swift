import DocumentValues
import FieldModels
import Foundation

/// Finds the files of an import and says which table each of them is.
struct ImportFiles {
    /// In the order in which they must be read: sites before the inspections of them.
    private(set) var tables: [(table: ImportTable, name: String, bytes: [UInt8])] = []
    private(set) var lines: [(kind: RecordKind, url: URL)] = []
    private(set) var exported: [ExportedFile] = []
    private(set) var ignored: [ImportNote] = []
    private let options: ImportOptions
    private let map: ColumnMap
    /// The columns of all tables, as the files have them.
    private var headers: [String] = []

    /// - Parameter paths: files, or folders with files.
    init(paths: [String], options: ImportOptions = ImportOptions()) throws(ImportError) {
        self.options = options
        map = ColumnMap(options.columns)
        try Self.check(options.columns)
        for path in paths {
            let (files, isNamed) = try Self.files(at: path)
            for file in files { try add(file, isNamed: isNamed) }
        }
        try checkColumns()
        passOverCopies()
        guard !tables.isEmpty || !lines.isEmpty || !exported.isEmpty else {
            let passedOver = ignored.map { "\($0.file): \($0.what)" }
            throw ImportError(.nothingToImport(passedOver), file: paths.joined(separator: ", "))
        }
        tables.sort { $0.table < $1.table }
        lines.sort { $0.kind.rank < $1.kind.rank }
        exported.sort { $0.kind.rank < $1.kind.rank }
    }

    /// A slip in a name must not be taken for a column that is not needed.
    private static func check(_ choices: [ColumnChoice]) throws(ImportError) {
        let known = Set(ImportTable.allCases.flatMap(\.known).map { Name($0) })
        for choice in choices where !known.contains(Name(ColumnMap.normalized(choice.field))) {
            throw ImportError(.unknownField(choice.field), file: "")
        }
    }

    private func checkColumns() throws(ImportError) {
        let present = Set(headers.map { Name(ColumnMap.normalized($0)) })
        for choice in options.columns where !choice.column.isEmpty {
            guard present.contains(Name(ColumnMap.normalized(choice.column))) else {
                throw ImportError(.unknownColumn(choice.column, present: headers), file: "")
            }
        }
    }

    private static func areBeside(_ one: URL, and other: URL) -> Bool {
        one.deletingLastPathComponent().path.isExactly(other.deletingLastPathComponent().path)
    }

    /// The lines of JSON of an export have the same records as its tables, and more of them.
    private mutating func passOverCopies() {
        exported.removeAll { file in
            guard lines.contains(where: { $0.kind == file.kind && Self.areBeside($0.url, and: file.url) }) else {
                return false
            }
            let what = "\(file.kind.plural).jsonl beside it has the same records, complete"
            ignored.append(
                ImportNote(
                    kind: .fileIgnored, file: file.name, line: 0, column: nil, record: nil, what: what,
                    outcome: "passed over; to take changes from the table, import it alone"))
            return true
        }
    }

    /// - Returns: the files, and whether the person named the file rather than its folder.
    private static func files(at path: String) throws(ImportError) -> (files: [URL], isNamed: Bool) {
        let url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ImportError(.unreadable("there is no such file or folder"), file: path)
        }
        guard isFolder.boolValue else { return ([url], true) }
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted { $0.isExactlyBefore($1) }
            let files = names.filter { $0.hasExactSuffix(".csv") || $0.hasExactSuffix(".jsonl") }
            return (files.map(url.appendingPathComponent), false)
        } catch {
            throw ImportError(.unreadable(error.localizedDescription), file: path)
        }
    }

    /// - Throws: the reason why a file that the person named cannot be imported; a file that was only found in a folder
    ///   is passed over.
    private mutating func add(_ url: URL, isNamed: Bool) throws(ImportError) {
        let name = url.lastPathComponent
        // A pipe would keep the import waiting until a program writes into it. It is read only where it was named.
        if !isNamed, !PlainFile.isPossible(at: url) {
            return try passOver(ImportError(.unreadable("it is no file"), file: name), isNamed: false)
        }
        if url.pathExtension == "jsonl" { return try addLines(url, name: name, isNamed: isNamed) }
        let bytes = try Self.read(url)
        switch TextProbe(bytes) {
        case .text: break
        case .stray(let byte, let line):
            return try passOver(ImportError(.controlCharacter(byte, line: line), file: name), isNamed: isNamed)
        case .noText: return try passOver(ImportError(.noText, file: name), isNamed: isNamed)
        }
        let header = CSVTable.header(of: bytes)
        if header.isEmpty { throw ImportError(.emptyFile, file: name) }
        if AttachmentFolder.isIndex(name, header: header) { return }
        if let kind = ExportedFile.kind(of: header) {
            if kind == .form { return try passOver(ImportError(.formTable, file: name), isNamed: isNamed) }
            exported.append(ExportedFile(kind: kind, url: url, bytes: bytes))
            return
        }
        headers += CSVTable.headings(of: bytes)
        if let table = options.table ?? ImportTable.allCases.first(where: { $0.isNamed(name) })
            ?? ImportTable(columns: header, map)
        {
            tables.append((table, name, bytes))
        } else if let table = ImportTable(nearestTo: header, map) {
            let missing = map.missing(table.columns, in: header)
            try passOver(ImportError(.missingColumns(missing, present: header), file: name), isNamed: isNamed)
        } else {
            try passOver(ImportError(.unknownTable(columns: header), file: name), isNamed: isNamed)
        }
    }

    private mutating func addLines(_ url: URL, name: String, isNamed: Bool) throws(ImportError) {
        let plural = url.deletingPathExtension().lastPathComponent
        guard let kind = RecordKind.allCases.first(where: { $0.plural == plural }) else {
            return try passOver(ImportError(.unknownLines, file: name), isNamed: isNamed)
        }
        lines.append((kind, url))
    }

    private mutating func passOver(_ error: ImportError, isNamed: Bool) throws(ImportError) {
        if isNamed { throw error }
        ignored.append(
            ImportNote(
                kind: .fileIgnored, file: error.file, line: 0, column: nil, record: nil, what: error.reason,
                outcome: "passed over"))
    }

    static func read(_ url: URL) throws(ImportError) -> [UInt8] {
        guard let bytes = try PlainFile.read(url, upTo: FieldRecordsLimits.importFile) else {
            throw ImportError(.tooLarge, file: url.lastPathComponent)
        }
        return bytes
    }
}

/// The tables that can be imported, in the order in which they are read.
public enum ImportTable: Int, CaseIterable, Comparable, Sendable {
    case sites
    case inspections
    case findings

    /// As a person names it: `sites`.
    public var name: String {
        switch self {
        case .sites: "sites"
        case .inspections: "inspections"
        case .findings: "findings"
        }
    }

    /// The table whose columns a file has.
    init?(columns: [String], _ map: ColumnMap) {
        guard let table = Self.allCases.first(where: { map.missing($0.columns, in: columns).isEmpty }) else {
            return nil
        }
        self = table
    }

    /// The table that a file was probably meant to be: it has most of its columns.
    init?(nearestTo columns: [String], _ map: ColumnMap) {
        let nearest = Self.allCases.map { (table: $0, missing: map.missing($0.columns, in: columns).count) }
            .filter { $0.missing * 2 <= $0.table.columns.count }
            .min { $0.missing < $1.missing }
        guard let nearest else { return nil }
        self = nearest.table
    }

    var columns: [String] {
        switch self {
        case .sites: SiteTable.columns
        case .inspections: InspectionTable.columns
        case .findings: FindingTable.columns
        }
    }

    /// The columns that it takes, needed or not.
    var known: [String] {
        switch self {
        case .sites: SiteTable.columns + SiteTable.furtherColumns
        case .inspections: InspectionTable.columns + InspectionTable.furtherColumns
        case .findings: FindingTable.columns + FindingTable.furtherColumns
        }
    }

    /// Whether a file's name says that it is this table, so that a missing column is an error and not another file.
    func isNamed(_ file: String) -> Bool {
        let name = file.lowercased()
        switch self {
        case .sites: return name.hasPrefix("business") || name.hasPrefix("sites")
        case .inspections: return name.hasPrefix("inspection")
        case .findings: return name.hasPrefix("violation") || name.hasPrefix("finding")
        }
    }

    func read(
        _ bytes: [UInt8], file: String, map: ColumnMap, into plan: inout ImportPlan
    ) throws {
        switch self {
        case .sites: try SiteTable.read(bytes, file: file, map: map, into: &plan)
        case .inspections: try InspectionTable.read(bytes, file: file, map: map, into: &plan)
        case .findings: try FindingTable.read(bytes, file: file, map: map, into: &plan)
        }
    }

    public static func < (left: ImportTable, right: ImportTable) -> Bool { left.rawValue < right.rawValue }
}

extension RecordKind {
    /// Kinds to which others refer come first.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
