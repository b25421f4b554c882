import FieldModels
import Foundation

/// Finds the files of an import and tells which table each of them is.
struct ImportFiles {
    /// In the order in which they must be read: sites before the inspections of them.
    private(set) var tables: [(table: ImportTable, name: String, bytes: [UInt8])] = []
    private(set) var lines: [(kind: RecordKind, url: URL)] = []
    private(set) var ignored: [ImportNote] = []

    /// - Parameter paths: files, or folders with files.
    init(paths: [String]) throws(ImportError) {
        for path in paths {
            for file in try Self.files(at: path) { try add(file) }
        }
        guard !tables.isEmpty || !lines.isEmpty else {
            throw ImportError(.nothingToImport, file: paths.joined(separator: ", "))
        }
        tables.sort { $0.table < $1.table }
        lines.sort { $0.kind.rank < $1.kind.rank }
    }

    private static func files(at path: String) throws(ImportError) -> [URL] {
        let url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ImportError(.unreadable("there is no such file or folder"), file: path)
        }
        guard isFolder.boolValue else { return [url] }
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            return names.filter { $0.hasSuffix(".csv") || $0.hasSuffix(".jsonl") }.map(url.appendingPathComponent)
        } catch {
            throw ImportError(.unreadable(error.localizedDescription), file: path)
        }
    }

    private mutating func add(_ url: URL) throws(ImportError) {
        let name = url.lastPathComponent
        if url.pathExtension == "jsonl" {
            let plural = url.deletingPathExtension().lastPathComponent
            guard let kind = RecordKind.allCases.first(where: { $0.plural == plural }) else {
                return ignore(name, "lines of JSON are named for their collection, such as sites.jsonl")
            }
            return lines.append((kind, url))
        }
        let bytes = try Self.read(url)
        let header = CSVTable.header(of: bytes)
        if let table = ImportTable.allCases.first(where: { $0.isNamed(name) }) ?? ImportTable(columns: header) {
            tables.append((table, name, bytes))
        } else if header.isEmpty {
            throw ImportError(.emptyFile, file: name)
        } else {
            ignore(name, "its columns are those of no table: \(header.joined(separator: ", "))")
        }
    }

    private mutating func ignore(_ file: String, _ reason: String) {
        ignored.append(
            ImportNote(kind: .fileIgnored, file: file, line: 0, record: nil, what: reason, outcome: "passed over"))
    }

    static func read(_ url: URL) throws(ImportError) -> [UInt8] {
        let name = url.lastPathComponent
        do {
            let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
            guard size?.intValue ?? 0 <= FieldRecordsLimits.importFile else { throw ImportError(.tooLarge, file: name) }
            return Array(try Data(contentsOf: url))
        } catch let error as ImportError {
            throw error
        } catch {
            throw ImportError(.unreadable(error.localizedDescription), file: name)
        }
    }
}

/// The tables that can be imported, in the order in which they are read.
enum ImportTable: Int, CaseIterable, Comparable {
    case sites
    case inspections
    case findings

    /// The table whose columns a file has.
    init?(columns: [String]) {
        let present = Set(columns)
        guard let table = Self.allCases.first(where: { present.isSuperset(of: $0.columns) }) else { return nil }
        self = table
    }

    var columns: [String] {
        switch self {
        case .sites: SiteTable.columns
        case .inspections: InspectionTable.columns
        case .findings: FindingTable.columns
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

    func read(_ bytes: [UInt8], file: String, into plan: inout ImportPlan) throws(ImportError) {
        switch self {
        case .sites: try SiteTable.read(bytes, file: file, into: &plan)
        case .inspections: try InspectionTable.read(bytes, file: file, into: &plan)
        case .findings: try FindingTable.read(bytes, file: file, into: &plan)
        }
    }

    static func < (left: ImportTable, right: ImportTable) -> Bool { left.rawValue < right.rawValue }
}

extension RecordKind {
    /// What others refer to comes first.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
