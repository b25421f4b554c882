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
        let names = try RecordListing(store: store).siteNames()
        var report = ExportReport(folder: folder.url.path)
        let attachments = AttachmentExport(folder: folder, database: store.database, siteNames: names)
        let inspections = try inspectionLines(photos: attachments, report: &report)
        let findings = try write(
            store.findings, columns: FindingColumns.all(names) { attachments.paths(of: $0) },
            first: { try attachments.write(photosOf: $0, report: &report) })
        let responses = try write(
            store.responses, columns: ResponseColumns.all(names) { attachments.paths(of: $0) },
            first: { try attachments.write(filesOf: $0, report: &report) })
        try attachments.finish(report: &report)
        report += try write(store.sites, columns: SiteColumns.all)
        report += try files(
            of: inspections,
            columns: InspectionColumns.all(
                answers: inspections.answers.chosen.map(\.text), others: inspections.answers.isCut, names
            ) { attachments.paths(of: $0) })
        report += findings
        report += try write(store.forms, columns: FormColumns.all)
        report += try write(store.assignments, columns: AssignmentColumns.all(names))
        report += responses
        try folder.finish()
        return report
    }

    /// Writes the files of a kind of record, without keeping any.
    ///
    /// - Parameter first: is done before a record is written.
    private func write<Record: FieldRecord>(
        _ records: RecordRepository<Record>, columns: [Column<Record>], first: (Record) throws -> Void = { _ in }
    ) throws -> ExportedRecords {
        let table = format == .jsonl ? nil : try ExportedTable(of: columns, in: folder)
        let lines = format == .csv ? nil : try ExportedLines(of: Record.kind, in: folder)
        var exported = ExportedRecords()
        exported.unreadable = try records.forEachRecord { record in
            try first(record)
            try table?.append(record)
            try lines?.append(record)
        }
        if let table { exported.files.append(try table.finish()) }
        if let lines { exported.files.append(try lines.finish()) }
        return exported
    }

    // MARK: Inspections

    /// Inspections on the disk, until all of them show which columns their table has.
    private struct InspectionLines {
        let lines: ExportedLines
        var answers = CommonColumns()
        var unreadable: [RecordError] = []
    }

    private func inspectionLines(
        photos: AttachmentExport, report: inout ExportReport
    ) throws -> InspectionLines {
        var inspections = InspectionLines(lines: try ExportedLines(of: .inspection, in: folder))
        inspections.unreadable = try store.inspections.forEachRecord { inspection in
            try photos.write(photosOf: inspection, report: &report)
            inspections.answers.count(inspection.answers.keys.lazy.map { Name($0) })
            try inspections.lines.append(inspection)
        }
        return inspections
    }

    private func files(of inspections: InspectionLines, columns: [Column<Inspection>]) throws -> ExportedRecords {
        var exported = ExportedRecords()
        exported.unreadable = inspections.unreadable
        if format != .jsonl {
            let table = try ExportedTable(of: columns, in: folder)
            try inspections.lines.forEach { id, object in try table.append(Inspection(id: id, object: object)) }
            exported.files.append(try table.finish())
        }
        if format != .csv { exported.files.append(try inspections.lines.finish()) }
        return exported
    }
}

/// What an export has written of one kind of record.
private struct ExportedRecords {
    var files: [ExportReport.File] = []
    var unreadable: [RecordError] = []
}

extension ExportReport {
    fileprivate static func += (report: inout ExportReport, exported: ExportedRecords) {
        report.files += exported.files
        report.unreadable += exported.unreadable
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
