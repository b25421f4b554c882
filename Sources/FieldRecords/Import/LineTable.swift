import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// Lines of JSON as an export writes them: a record a line, its id in `_id`, attachments in the folder `attachments`.
struct LineTable {
    let kind: RecordKind
    let url: URL
    /// Where the photos are put.
    let photos: Database
    let isPreview: Bool

    func read(into plan: inout ImportPlan) throws {
        switch kind {
        case .site: try read(Site.self, into: &plan)
        case .inspection: try read(Inspection.self, into: &plan)
        case .finding: try read(Finding.self, into: &plan)
        case .form: try read(FormDefinition.self, into: &plan)
        case .assignment: try read(Assignment.self, into: &plan)
        case .response: try read(Response.self, into: &plan)
        }
    }

    private func read<Record: FieldRecord>(_: Record.Type, into plan: inout ImportPlan) throws {
        let file = url.lastPathComponent
        plan.begin(file: file, kind: kind)
        let bytes = try ImportFiles.read(url)
        var blobs = AttachmentFolder(url.deletingLastPathComponent())
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where line.contains(where: { $0 > 0x20 }) {
            do {
                let record = try Self.record(Record.self, line: Array(line))
                try blobs.install(AttachmentFolder.photos(of: record), into: photos, isPreview: isPreview)
                plan.add(record, line: index + 1, of: file)
            } catch let error as LineProblem {
                plan.leaveOut(line: index + 1, of: file, text: line, because: error.reason)
            }
        }
    }

    private static func record<Record: FieldRecord>(
        _: Record.Type, line: [UInt8]
    ) throws(LineProblem) -> Record {
        do {
            var object = try JSONObject(parsing: line, halves: .refused)
            guard let id = object["_id"]?.stringValue else { throw LineProblem(reason: "it has no _id") }
            object = object.filter { !$0.hasExactPrefix("_") }
            let record = try Record(id: id, object: object)
            try record.validate()
            // One that is here already stays as it is: inspections were made with it.
            let problems = (record as? FormDefinition)?.problemsOfNames ?? []
            guard problems.isEmpty else { throw RecordError(kind: Record.kind, id: id, problems: problems) }
            return record
        } catch let error as JSONError {
            throw LineProblem(reason: "it is no JSON: \(error)")
        } catch let error as RecordError {
            throw LineProblem(reason: error.problems.map(\.description).joined(separator: "; "))
        } catch let error as LineProblem {
            throw error
        } catch {
            throw LineProblem(reason: "\(error)")
        }
    }
}

extension ImportPlan {
    mutating func add(_ record: some FieldRecord, line: Int, of file: String) {
        if let form = record as? FormDefinition { remember(form) }
        // A row that was not edited is not reported if it was imported before; an edited row is.
        let isRow = record.envelope.changedAt == nil
        append(
            PlannedRecord(
                kind: type(of: record).kind, id: record.id, digest: isRow ? record.envelope.source?.digest ?? "" : "",
                body: record.body, file: file, line: line, table: report.counts.count - 1))
    }

    mutating func leaveOut(line: Int, of file: String, text: some Swift.Collection<UInt8>, because reason: String) {
        let quoted = String(decoding: text, as: UTF8.self).shortened
        noteLeftOut(
            ImportNote(
                kind: .leftOut, file: file, line: line, column: nil, record: nil, what: "\(reason): \(quoted)",
                outcome: "left out"))
    }
}
