import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// Reads files into the database.
///
/// All files are read and understood before the first record is written, so a file with a missing column leaves the
/// records as they were; photos of an export are stored while its lines are read. Importing the same files again changes
/// nothing.
public struct RecordImport {
    private let store: RecordStore
    private let districts: Districts
    private let moves: Moves
    private let options: ImportOptions
    private let author: Author?
    private let progress: (ImportProgress) -> Void

    /// - Parameter author: the person who changes records by the tables of an export, and whose journal notes the
    ///   import; `nil` if no user could take it back.
    public init(
        into field: FieldDatabase, by author: Author? = nil, options: ImportOptions = ImportOptions(),
        progress: @escaping (ImportProgress) -> Void = { _ in }
    ) {
        (store, districts, moves) = (field.store, field.districts, field.moves)
        self.author = author
        self.options = options
        self.progress = progress
    }

    /// - Parameter paths: CSV tables, lines of JSON as an export writes them, or folders with such files.
    /// - Throws: `ImportError` before anything was written; `ImportInterruption` if the database failed; the records
    ///   written before are kept.
    public func run(_ paths: [String]) throws -> ImportReport {
        let files = try ImportFiles(paths: paths, options: options)
        let plan = try plan(files)
        var report = plan.report
        report.notes += files.ignored
        if options.isPreview {
            report.isPreview = true
        } else if options.isStrict, report.leftOut > 0 {
            throw ImportError(.leftOut(report.leftOut, first: report.firstLeftOut), file: "")
        }
        let districts = plan.records.lazy.filter { $0.kind == .site }
            .compactMap { JSONObject.readable($0.body)?["district"]?.stringValue }
        report.strayDistricts = try self.districts.unaccepted(among: districts)
        try write(plan.records, report: &report)
        try bringFindingsAlong(plan, report: report)
        return report
    }

    private func bringFindingsAlong(_ plan: ImportPlan, report: ImportReport) throws {
        guard let author, !options.isPreview, !plan.moved.isEmpty else { return }
        do {
            try store.database.inBatch {
                try moves.bringFindingsAlong(
                    ofInspections: plan.moved, in: [.site], by: author, isUndoable: false)
            }
        } catch {
            let count = plan.records.count
            throw ImportInterruption(report: report, completed: count, total: count, cause: error)
        }
    }

    private func plan(_ files: ImportFiles) throws -> ImportPlan {
        var plan = ImportPlan()
        // One that cannot be read has none; a database that cannot be read is no reason to import into another district.
        plan.knownDistrict = { [sites = store.sites] in try sites.findReadable($0)?.district }
        plan.knownSite = { [sites = store.sites] in
            try sites.findReadable($0).map { RegisterTwins.Known(digest: $0.envelope.source?.digest, name: $0.name) }
        }
        plan.knownInspection = { [inspections = store.inspections] in
            try inspections.findReadable($0).map { inspection in
                (
                    ImportPlan.SiteDay(site: inspection.site, date: inspection.date),
                    RegisterTwins.Known(digest: inspection.envelope.source?.digest, name: "")
                )
            }
        }
        plan.inspectionOfFinding = { [findings = store.findings] in try findings.findReadable($0)?.inspection }
        for (table, name, bytes) in files.tables {
            try table.read(bytes, file: name, map: ColumnMap(options.columns), into: &plan)
        }
        for (kind, url) in files.lines {
            try LineTable(kind: kind, url: url, photos: store.database, isPreview: options.isPreview).read(into: &plan)
        }
        for file in files.exported { try file.read(from: store, by: author, into: &plan) }
        return plan
    }

    private func write(_ records: [PlannedRecord], report: inout ImportReport) throws {
        var done = 0
        var written = WrittenRecords()
        for batch in records.batches(of: FieldRecordsLimits.importBatch) {
            do {
                try write(batch, report: &report, written: &written)
            } catch {
                throw ImportInterruption(report: report, completed: done, total: records.count, cause: error)
            }
            done += batch.count
            progress(ImportProgress(completed: done, total: records.count, records: batch[0].kind.plural))
        }
    }

    /// One transaction. The batch counts only once it is stored.
    private func write(
        _ batch: [PlannedRecord], report: inout ImportReport, written: inout WrittenRecords
    ) throws {
        let collection = store.collection(of: batch[0].kind)
        // A sync must not store a version between the verdict and the write.
        let verdicts = try store.database.inBatch {
            var verdicts: [(verdict: Verdict, before: [UInt8]?)] = []
            var news: [(id: String, body: [UInt8])] = []
            let present = try collection.bodies(of: batch.map(\.id))
            var bodies: [Name: [UInt8]] = [:]
            for (record, stored) in zip(batch, present) {
                let id = Name(record.id)
                // Of rows with one id the last counts; the record is new once.
                let earlier = bodies[id] ?? (written.contains(record) ? stored?.body : nil)
                let verdict =
                    earlier.map { Verdict.isSame($0, and: record.body) ? .same : .update }
                    ?? Verdict(on: record, over: stored)
                verdicts.append((verdict, earlier ?? stored?.body))
                guard verdict.isWritten else { continue }
                news.append((record.id, record.body))
                bodies[id] = record.body
                written.insert(record)
            }
            guard !news.isEmpty, !options.isPreview else { return verdicts }
            try collection.save(bodies: news)
            if !written.isNoted, let author { try store.journal.noteWhole("import", by: author) }
            written.isNoted = true
            return verdicts
        }
        for (record, (verdict, before)) in zip(batch, verdicts) {
            if options.isPreview, verdict.isWritten {
                report.addSample(of: record, before: verdict == .add ? nil : before)
            }
            count(record, verdict: verdict, in: &report)
        }
    }

    private func count(_ record: PlannedRecord, verdict: Verdict, in report: inout ImportReport) {
        switch verdict {
        case .add:
            report.count(record, counter: \.added)
            if !RecordIDs.isMade(record.id) { report.addedForOffice += 1 }
        case .update: report.count(record, counter: \.updated)
        case .same: report.count(record, counter: \.unchanged)
        case .deletedHere: report.keep(record, kind: .deletedHere, what: "it was deleted here", outcome: "left deleted")
        case .changedHere:
            report.keep(
                record, kind: .changedHere, what: "it was changed here, and in the file too",
                outcome: "left as it is here")
        }
    }
}

/// The records that an import has written until now.
private struct WrittenRecords {
    private var ids: [RecordKind: Set<Name>] = [:]
    /// Whether the journal knows of it.
    var isNoted = false

    func contains(_ record: PlannedRecord) -> Bool { ids[record.kind]?.contains(Name(record.id)) == true }

    mutating func insert(_ record: PlannedRecord) { ids[record.kind, default: []].insert(Name(record.id)) }
}

/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    public let completed: Int
    public let total: Int
    /// The kind of the records being written: `sites`.
    public let records: String
}

/// The action for a record, depending on the stored one with its id.
private enum Verdict {
    case add
    case update
    case same
    case deletedHere
    case changedHere

    var isWritten: Bool {
        switch self {
        case .add, .update: true
        case .same, .deletedHere, .changedHere: false
        }
    }

    init(on record: PlannedRecord, over stored: StoredBody?) {
        guard let stored else {
            self = .add
            return
        }
        if stored.isDeleted {
            self = .deletedHere
        } else if Self.isSame(stored.body, and: record.body) {
            self = .same
        } else {
            switch record.basis {
            case .body(let base): self = Self.isSame(stored.body, and: base) ? .update : .changedHere
            case .outdated: self = .changedHere
            case .none: self = Self.over(stored.body, row: record.digest)
            case .row: self = Self.over(stored.body, row: record.digest, readAs: record.body)
            }
        }
    }

    private static func over(_ stored: [UInt8], row digest: String, readAs body: [UInt8]? = nil) -> Self {
        let present = JSONObject.readable(stored)
        let isSameRow = present?["source"]?["digest"]?.stringValue.isExactly(digest) == true && !digest.isEmpty
        let isEdited = present?["changedAt"] != nil
        guard isSameRow else { return isEdited ? .changedHere : .update }
        return isEdited || isReadAlike(present, as: body) ? .same : .update
    }

    /// A row that was read in another way before, such as with the wrong columns, counts like one that has changed. The same
    /// table may have another name now.
    private static func isReadAlike(_ present: JSONObject?, as body: [UInt8]?) -> Bool {
        guard var present, var read = body.flatMap({ JSONObject.readable($0) }) else { return true }
        (present["source"], read["source"]) = (nil, nil)
        return ValueOrder.isSame(present, and: read)
    }

    /// Whatever the order of their members: a merge writes it as it was on either side, other programs as they like.
    static func isSame(_ left: [UInt8], and right: [UInt8]) -> Bool {
        if left == right { return true }
        guard let left = JSONObject.readable(left), let right = JSONObject.readable(right) else { return false }
        return ValueOrder.isSame(left, and: right)
    }
}

extension ImportReport {
    /// The first of each file.
    fileprivate mutating func addSample(of record: PlannedRecord, before: [UInt8]?) {
        let count = counts[record.table]
        guard count.added + count.updated < FieldRecordsLimits.previewed, let body = JSONObject.readable(record.body)
        else { return }
        let old = before.flatMap { JSONObject.readable($0) }
        samples.append(
            ImportSample(
                file: record.file, line: record.line, id: record.id, body: body,
                changes: old.map { RecordDifference.lines(from: $0, to: body) }))
    }

    fileprivate mutating func count(_ record: PlannedRecord, counter: WritableKeyPath<ImportCount, Int>) {
        counts[record.table][keyPath: counter] += 1
    }

    fileprivate mutating func keep(
        _ record: PlannedRecord, kind: ImportNote.Kind, what: String, outcome: String
    ) {
        count(record, counter: \.kept)
        notes.append(
            ImportNote(
                kind: kind, file: record.file, line: record.line, column: nil, record: record.id, what: what,
                outcome: outcome))
    }

    fileprivate var firstLeftOut: [String] {
        notes.lazy.filter { $0.kind == .leftOut }.prefix(FieldRecordsLimits.previewed).map {
            "\($0.position): \($0.what)"
        }
    }
}

extension ImportNote {
    /// `sites.csv:17, column 'Opened on'`.
    public var position: String {
        (line > 0 ? "\(file):\(line)" : file) + (column.map { ", column '\($0.shortened)'" } ?? "")
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
