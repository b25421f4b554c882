import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// Reads files into the database.
///
/// All files are read and understood before the first record is written, so a file with a missing column leaves the
/// database as it was. Importing the same files again changes nothing.
public struct RecordImport {
    private let field: FieldDatabase
    private let progress: (ImportProgress) -> Void

    public init(into field: FieldDatabase, progress: @escaping (ImportProgress) -> Void = { _ in }) {
        self.field = field
        self.progress = progress
    }

    /// - Parameter paths: CSV tables, lines of JSON as an export writes them, or folders with such files.
    /// - Throws: `ImportError` before anything was written; `ImportInterruption` where the database failed, with what
    ///   was written until then in place.
    public func run(_ paths: [String]) throws -> ImportReport {
        let files = try ImportFiles(paths: paths)
        var plan = ImportPlan()
        plan.knownDistrict = { [sites = field.sites] in
            do { return try sites.find($0)?.district } catch { return nil }
        }
        for (table, name, bytes) in files.tables { try table.read(bytes, file: name, into: &plan) }
        for (kind, url) in files.lines { try LineTable(kind: kind, url: url, field: field).read(into: &plan) }
        var report = plan.report
        report.notes += files.ignored
        try write(plan.records, report: &report)
        return report
    }

    private func write(_ records: [PlannedRecord], report: inout ImportReport) throws {
        var done = 0
        for batch in records.batches(of: FieldRecordsLimits.importBatch) {
            do {
                report = try write(batch, report)
            } catch {
                throw ImportInterruption(report: report, completed: done, total: records.count, cause: error)
            }
            done += batch.count
            progress(ImportProgress(completed: done, total: records.count, records: batch[0].kind.plural))
        }
    }

    /// One transaction.
    ///
    /// - Returns: the report with the batch, which counts only once it is stored.
    private func write(_ batch: [PlannedRecord], _ report: ImportReport) throws -> ImportReport {
        var report = report
        var news: [(id: String, body: [UInt8])] = []
        let collection = field.collection(of: batch[0].kind)
        let present = try collection.bodies(of: batch.map(\.id))
        for (record, stored) in zip(batch, present) {
            if decide(record, stored, &report) { news.append((record.id, record.body)) }
        }
        if !news.isEmpty { try collection.save(bodies: news) }
        return report
    }

    /// Whether the record is to be written; counts it in any case.
    private func decide(_ record: PlannedRecord, _ stored: StoredBody?, _ report: inout ImportReport) -> Bool {
        switch Verdict(on: record, over: stored) {
        case .add: report.count(record, \.added)
        case .update: report.count(record, \.updated)
        case .same:
            report.count(record, \.unchanged)
            return false
        case .deletedHere:
            report.keep(record, .deletedHere, "it was deleted here", "left deleted")
            return false
        case .changedHere:
            report.keep(record, .changedHere, "it was changed here, and in the file too", "left as it is here")
            return false
        }
        return true
    }
}

/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    public let completed: Int
    public let total: Int
    /// What is being written: `sites`.
    public let records: String
}

/// What is to become of a record, given what is there under its id.
private enum Verdict {
    case add
    case update
    case same
    case deletedHere
    case changedHere

    init(on record: PlannedRecord, over stored: StoredBody?) {
        guard let stored else {
            self = .add
            return
        }
        if stored.isDeleted {
            self = .deletedHere
        } else if stored.body == record.body {
            self = .same
        } else {
            let present = JSONObject.readable(stored.body)
            let isSameRow =
                present?["source"]?["digest"]?.stringValue.isExactly(record.digest) == true && !record.digest.isEmpty
            let isEdited = present?["changedAt"] != nil
            self = isSameRow ? .same : isEdited ? .changedHere : .update
        }
    }
}

extension JSONObject {
    /// `nil` where the bytes are no object.
    static func readable(_ bytes: [UInt8]) -> JSONObject? {
        do { return try JSONObject(parsing: bytes) } catch { return nil }
    }
}

extension ImportReport {
    fileprivate mutating func count(_ record: PlannedRecord, _ counter: WritableKeyPath<ImportCount, Int>) {
        guard let index = counts.firstIndex(where: { $0.file.isExactly(record.file) }) else { return }
        counts[index][keyPath: counter] += 1
    }

    fileprivate mutating func keep(
        _ record: PlannedRecord, _ kind: ImportNote.Kind, _ what: String, _ outcome: String
    ) {
        count(record, \.kept)
        notes.append(
            ImportNote(
                kind: kind, file: record.file, line: record.line, record: record.id, what: what, outcome: outcome))
    }
}

extension Array where Element == PlannedRecord {
    /// Records of one kind each, at most `size`.
    fileprivate func batches(of size: Int) -> [[PlannedRecord]] {
        var batches: [[PlannedRecord]] = []
        var start = startIndex
        while start < endIndex {
            let limit = Swift.min(start + size, endIndex)
            let end = self[start..<limit].firstIndex { $0.kind != self[start].kind } ?? limit
            batches.append(Array(self[start..<end]))
            start = end
        }
        return batches
    }
}
