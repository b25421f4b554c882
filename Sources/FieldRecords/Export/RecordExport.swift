import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// Writes the records into a folder: a table for each collection, joined by ids, as CSV, as lines of JSON or both, and
/// the attachments as files with names that a person can read.
public struct RecordExport {
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case csv
        case jsonl
        case both
    }

    private let store: RecordStore
    private let format: Format
    private let folder: ExportFolder

    /// - Parameter path: a folder, which is made, or an empty one.
    public init(of field: FieldDatabase, to path: String, format: Format) {
        store = field.store
        self.format = format
        folder = ExportFolder(path: path)
    }

    /// - Throws: `ExportError` if there is something in the folder.
    public func run() throws -> ExportReport {
        try folder.make()
        let sites = try store.sites.all().records
        let names = Dictionary(sites.map { (Name($0.id), $0.name) }, uniquingKeysWith: { first, _ in first })
        var report = ExportReport(folder: folder.url.path)
        let inspections = try store.inspections.all(), findings = try store.findings.all()
        let attachments = AttachmentExport(folder: folder, database: store.database, siteNames: names)
        try attachments.write(inspections.records, findings: findings.records, report: &report)
        try write(try store.sites.all(), columns: SiteColumns.all, report: &report)
        let answers = inspections.records.answerColumns
        try write(
            inspections,
            columns: InspectionColumns.all(
                answers: answers.chosen.map(\.text), others: answers.isCut, names,
                photos: attachments.paths(of: .inspection)),
            report: &report)
        try write(
            findings, columns: FindingColumns.all(names, photos: attachments.paths(of: .finding)), report: &report)
        try write(try store.forms.all(), columns: FormColumns.all, report: &report)
        try write(try store.assignments.all(), columns: AssignmentColumns.all(names), report: &report)
        try folder.finish()
        return report
    }

    private func write<Record: FieldRecord>(
        _ list: RecordList<Record>, columns: [Column<Record>], report: inout ExportReport
    ) throws {
        let name = Record.kind.plural
        switch format {
        case .csv: try writeTable(list.records, columns: columns, to: name, report: &report)
        case .jsonl: try writeLines(list.records, to: name, report: &report)
        case .both:
            try writeTable(list.records, columns: columns, to: name, report: &report)
            try writeLines(list.records, to: name, report: &report)
        }
        report.unreadable += list.unreadable
    }

    private func writeTable<Record: FieldRecord>(
        _ records: [Record], columns: [Column<Record>], to name: String, report: inout ExportReport
    ) throws {
        var writer = CSVWriter()
        let all = EnvelopeColumns.completing(columns)
        writer.append(all.map(\.name))
        for record in records {
            let cells = RecordCells(record)
            writer.append(all.map { $0.value(cells) ?? "" })
        }
        try write(writer.bytes, file: "\(name).csv", count: records.count, report: &report)
    }

    private func writeLines<Record: FieldRecord>(
        _ records: [Record], to name: String, report: inout ExportReport
    ) throws {
        var bytes: [UInt8] = []
        for record in records {
            bytes += record.identifiedObject.bytes
            bytes.append(UInt8(ascii: "\n"))
        }
        try write(bytes, file: "\(name).jsonl", count: records.count, report: &report)
    }

    private func write(_ bytes: [UInt8], file: String, count: Int, report: inout ExportReport) throws {
        try folder.write(bytes, to: file)
        report.files.append(ExportReport.File(name: file, records: count))
    }
}

/// The report of an export: the files that it wrote.
public struct ExportReport: Sendable, Hashable {
    public struct File: Sendable, Hashable {
        public let name: String
        public let records: Int
    }

    public let folder: String
    public internal(set) var files: [File] = []
    public internal(set) var attachments = 0
    /// Photos whose bytes are not here, because the sync has not brought them yet.
    public internal(set) var missingAttachments: [String] = []
    /// Photos whose files on this laptop were changed or cut; they are left out.
    public internal(set) var damagedAttachments: [String] = []
    /// Documents that are no records; they are in no file.
    public internal(set) var unreadable: [RecordError] = []
}

extension Array where Element == Inspection {
    /// The answers that have a column each.
    fileprivate var answerColumns: CommonColumns {
        var columns = CommonColumns()
        for inspection in self { columns.count(inspection.answers.keys.lazy.map { Name($0) }) }
        return columns
    }
}
