import DocumentValues
import FieldModels
import Foundation

/// A table that an export wrote.
struct ExportedFile {
    let kind: RecordKind
    let url: URL
    let bytes: [UInt8]

    var name: String { url.lastPathComponent }

    /// The kind of an exported table's records, by its columns; `nil` for a table of others.
    static func kind(of header: [String]) -> RecordKind? {
        let names = Set(header.map { Name($0) })
        guard ["id", "channels", "created_at", "changed_at"].allSatisfy({ names.contains(Name($0)) }) else {
            return nil
        }
        return RecordKind.allCases.first { kind in own(kind).allSatisfy { names.contains(Name($0)) } }
    }

    /// Columns by which a kind's table is recognized.
    private static func own(_ kind: RecordKind) -> [String] {
        switch kind {
        case .site: ["street"]
        case .inspection: ["visit"]
        case .finding: ["text"]
        case .form: ["version", "fields"]
        case .assignment: ["due"]
        case .response: ["form_version", "instance_id"]
        }
    }

    func read(from store: RecordStore, by author: Author?, into plan: inout ImportPlan) throws {
        switch kind {
        case .site: try read(store.sites, columns: SiteColumns.all, store: store, author: author, plan: &plan)
        case .inspection:
            let answers = CSVTable.headings(of: bytes).compactMap(Self.answer)
            try read(
                store.inspections, columns: InspectionColumns.all(answers: answers, others: true, [:]), store: store,
                author: author, plan: &plan)
        case .finding:
            try read(
                store.findings, columns: FindingColumns.all([:]), store: store, author: author, plan: &plan)
        case .assignment:
            try read(store.assignments, columns: AssignmentColumns.all([:]), store: store, author: author, plan: &plan)
        case .response:
            try read(store.responses, columns: ResponseColumns.all([:]), store: store, author: author, plan: &plan)
        case .form: throw ImportError(.formTable, file: name)
        }
    }

    private func read<Record: FieldRecord>(
        _ records: RecordRepository<Record>, columns: [Column<Record>], store: RecordStore, author: Author?,
        plan: inout ImportPlan
    ) throws {
        var table = try CSVTable(file: name, bytes: bytes, required: ["id"], isExact: true)
        plan.begin(file: name, kind: kind)
        var reader = try ExportedRows(
            records: records, columns: EnvelopeColumns.completing(columns), store: store, author: author)
        while let row = table.next() {
            plan.beginRow(row, of: table)
            try reader.read(row, of: table, into: &plan)
        }
    }

    private static func answer(_ heading: String) -> String? {
        let mark = "answer_"
        guard heading.utf8.starts(with: mark.utf8) else { return nil }
        return String(decoding: heading.utf8.dropFirst(mark.utf8.count), as: UTF8.self)
    }
}

/// Turns the rows of an exported table into records again.
///
/// If a record is here, and was not changed since the export, the cells that differ from an export of now are taken
/// over. Stamps and the steps of its life cycle are not, and an inspection that has been handed in does not change. If a
/// record is not here, every cell counts.
struct ExportedRows<Record: FieldRecord> {
    let records: RecordRepository<Record>
    let columns: [Column<Record>]
    let store: RecordStore
    /// The person who changes records by the table.
    let author: Author?
    /// The questions of each form, by their names.
    private var questions: [Name: [Name: FormField]] = [:]
    /// How many findings inspections have.
    private let findingCounts: [Name: Int]
    /// The answers of the row; `nil` for an answer that it removes.
    private var answers: [(name: String, value: JSONValue?)] = []
    /// The row's first column of answers that may be texts as well, since the form that would say so is not here.
    private var guessed: String?

    init(records: RecordRepository<Record>, columns: [Column<Record>], store: RecordStore, author: Author?) throws {
        let findings = Record.kind == .inspection ? try store.findings.all().records : []
        findingCounts = findings.reduce(into: [:]) { counts, finding in
            if let id = finding.inspection { counts[Name(id), default: 0] += 1 }
        }
        self.records = records
        self.columns = columns
        self.store = store
        self.author = author
    }

    mutating func read(_ row: CSVTableRow, of table: CSVTable, into plan: inout ImportPlan) throws {
        guard let id = row["id"] else { return plan.leaveOut(row, of: table, column: "id", because: "no id") }
        guard !SpreadsheetNumber.isShortened(id) else {
            return plan.leaveOut(row, of: table, column: "id", because: "a spreadsheet has cut the id short")
        }
        guard plan.takeID(id, of: Record.kind) else {
            return plan.leaveOut(row, of: table, column: "id", because: "the id is in an earlier row already")
        }
        guessed = nil
        answers = []
        let present: Record?
        do { present = try records.find(id) } catch let error as RecordError {
            return plan.leaveOut(row, of: table, because: "the record here cannot be read (\(error))")
        }
        do {
            if let present {
                try change(present, row: row, table: table, plan: &plan)
            } else {
                try add(id, row: row, table: table, plan: &plan)
            }
        } catch let problem as RowProblem {
            return plan.leaveOut(row, of: table, column: problem.column, because: problem.reason)
        }
        if let guessed {
            plan.note(
                .valueOdd, table: table, row: row, record: id, column: guessed,
                what: "the form that it answers is not here",
                outcome: "taken for what it looks like: yes or no, a number, a text")
        }
    }

    private mutating func add(
        _ id: String, row: CSVTableRow, table: CSVTable, plan: inout ImportPlan
    ) throws {
        var object = JSONObject()
        for column in columns {
            guard let cell = row.whole(column.name) else { continue }
            guard try !isCutShort(cell, column: column, of: object, plan: plan) else {
                noteCutShort(row, table: table, column: column, record: id, outcome: "left out", plan: &plan)
                continue
            }
            try put(cell, column: column, into: &object, plan: plan)
        }
        putAnswers(into: &object)
        // Tables of an earlier export have the file without its row.
        if object["source"]?.objectValue?.count == 1 { object["source"] = nil }
        let record = try validated(id, from: object)
        if let photos = row["photos"] {
            plan.note(
                .notFromTable, table: table, row: row, record: id, column: "photos", what: "'\(photos.shortened)'",
                outcome: "imported without photos: they come with \(Record.kind.plural).jsonl")
        }
        plan.take(planned(record, row: row, table: table, plan: plan, basis: .none))
    }

    private mutating func change(
        _ present: Record, row: CSVTableRow, table: CSVTable, plan: inout ImportPlan
    ) throws {
        let cells = RecordCells(present)
        let different = columns.filter { column in
            column.cell != nil && table.has(column.name) && !isSame(row[column.name], as: column.value(cells))
        }
        let stamp = row["changed_at"]
        let isOutdated = table.has("changed_at") && !isSame(stamp, as: present.envelope.changedAt?.description)
        let isFixed = try isHandedIn(present)
        var object = present.object
        for column in different where isTaken(column, isFixed: isFixed) {
            guard try !isCutShort(row[column.name] ?? "", column: column, of: object, plan: plan) else {
                noteCutShort(
                    row, table: table, column: column, record: present.id, outcome: "left as it is here", plan: &plan)
                continue
            }
            try put(row.whole(column.name) ?? "", column: column, into: &object, plan: plan)
        }
        putAnswers(into: &object)
        if !isOutdated {
            let left = different.filter { !isTaken($0, isFixed: isFixed) }
            noteLeft(left, row: row, table: table, record: present.id, plan: &plan)
        }
        if object == present.object {
            return plan.take(planned(present, row: row, table: table, plan: plan, basis: .body(present.body)))
        }
        var record = try validated(present.id, from: object)
        try checkInspection(of: record, over: present, plan: plan)
        try move(&record, from: present, changed: Set(different.map { Name($0.name) }), plan: plan)
        noteMove(record, from: present, row: row, table: table, plan: &plan)
        noteAuthor(in: &record, over: present)
        plan.take(
            planned(record, row: row, table: table, plan: plan, basis: isOutdated ? .outdated : .body(present.body)))
    }

    /// - Parameter isFixed: whether the record is handed in. When a finding was fixed is seen later than that.
    private func isTaken(_ column: Column<Record>, isFixed: Bool) -> Bool {
        guard let cell = column.cell, !cell.isFixed else { return false }
        return !isFixed || (Record.kind == .finding && column.name.isExactly("corrected"))
    }

    private func noteLeft(
        _ columns: [Column<Record>], row: CSVTableRow, table: CSVTable, record: String, plan: inout ImportPlan
    ) {
        for column in columns {
            plan.note(
                .notFromTable, table: table, row: row, record: record, column: column.name,
                what: "'\((row[column.name] ?? "").shortened)' is not what the record has",
                outcome: "left as it is here")
        }
    }

    private func noteAuthor(in record: inout Record, over present: Record) {
        guard let author else { return }
        record.envelope.changedBy = author.name
        record.envelope.changedAt = author.moment
        record.envelope.device = author.device
        record.envelope.forgetOverwritten(before: present.object, after: record.object)
        record.envelope.noteChanges(before: present.object, after: record.object, of: Record.kind)
    }

    /// A finding is part of its inspection. Tables do not change an inspection that is submitted on this laptop alone, though
    /// `edit` does.
    private func isHandedIn(_ record: Record) throws -> Bool {
        if let inspection = record as? Inspection { return !inspection.status.isOpen }
        guard let id = (record as? Finding)?.inspection else { return false }
        return try store.inspections.findReadable(id)?.status.isOpen == false
    }

    /// A finding goes to another site with its inspection alone, and to another inspection only where that is open.
    private func checkInspection(of record: Record, over present: Record, plan: ImportPlan) throws {
        guard let finding = record as? Finding, let before = present as? Finding, let id = finding.inspection else {
            return
        }
        let isOther = before.inspection?.isExactly(id) != true
        guard isOther || !finding.site.isExactly(before.site) else { return }
        guard let inspection = try store.inspections.findReadable(id) else {
            throw RowProblem(column: "inspection", reason: "the inspection \(id) is not here")
        }
        if isOther, !inspection.status.isOpen {
            throw RowProblem(
                column: "inspection",
                reason: "the inspection \(id) is \(inspection.status.rawValue), and takes no finding")
        }
        guard !finding.site.isExactly(inspection.site), !plan.moved.contains(Name(id)) else { return }
        throw RowProblem(column: "site", reason: "its inspection is of the site \(inspection.site)")
    }

    // MARK: Moving

    /// A record is in the channel of its district, and an inspection in the district of its site, unless the table says
    /// otherwise.
    private func move(_ record: inout Record, from present: Record, changed: Set<Name>, plan: ImportPlan) throws {
        guard !changed.contains(Name("channels")) else { return }
        var district = record.district
        if !changed.contains(Name("district")), let site = otherSite(of: record, than: present) {
            district = try plan.district(ofKnownSite: site) ?? district
        }
        guard let district, district != present.district else { return }
        record.envelope.district = present.district
        record.envelope.move(to: district)
    }

    /// `nil` where it is of the same site, or no inspection.
    private func otherSite(of record: Record, than present: Record) -> String? {
        guard let site = (record as? Inspection)?.site, (present as? Inspection)?.site.isExactly(site) == false else {
            return nil
        }
        return site
    }

    private mutating func noteMove(
        _ record: Record, from present: Record, row: CSVTableRow, table: CSVTable, plan: inout ImportPlan
    ) {
        let isElsewhere = otherSite(of: record, than: present) != nil || record.district != present.district
        guard Record.kind == .inspection, isElsewhere, let count = findingCounts[Name(record.id)] else { return }
        plan.remember(movedInspection: record.id)
        plan.note(
            .inspectionMoved, table: table, row: row, record: record.id, column: "site",
            what: "the inspection is of another site or district by now",
            outcome: count == 1 ? "its finding goes along" : "its \(count) findings go along")
    }

    private func planned(
        _ record: Record, row: CSVTableRow, table: CSVTable, plan: ImportPlan, basis: PlannedRecord.Basis
    ) -> PlannedRecord {
        PlannedRecord(
            kind: Record.kind, id: record.id, digest: "", body: record.body, file: table.file, line: row.row.line,
            table: plan.report.counts.count - 1, basis: basis)
    }

    // MARK: Cells

    /// As the two are in a table: white space at the ends is not compared, and neither is what a spreadsheet does to texts
    /// that look like numbers.
    private func isSame(_ cell: String?, as value: String?) -> Bool {
        let written = value.map { CSVWriter.cell($0).trimmingSpaces } ?? ""
        return (cell ?? "").isExactly(written) || SpreadsheetNumber.isForm(cell ?? "", of: written)
    }

    /// No person types `1.41536E+10` as a text, and an answer to an unknown question may be a text.
    private mutating func isCutShort(
        _ cell: String, column: Column<Record>, of object: JSONObject, plan: ImportPlan
    ) throws -> Bool {
        guard let reading = column.cell, SpreadsheetNumber.isShortened(cell) else { return false }
        switch reading.form {
        case .text: return true
        case .number, .list, .members: return false
        case .answer:
            let question = try question(
                reading.path.last ?? "", ofForm: object["form"]?.stringValue, plan: plan)
            switch question?.kind {
            case .text, .day, .choice, nil: return true
            case .number, .whole, .yesNo: return false
            }
        }
    }

    private func noteCutShort(
        _ row: CSVTableRow, table: CSVTable, column: Column<Record>, record: String, outcome: String,
        plan: inout ImportPlan
    ) {
        plan.note(
            .valueOdd, table: table, row: row, record: record, column: column.name,
            what: "'\((row[column.name] ?? "").shortened)' is a number that a spreadsheet has cut short",
            outcome: outcome)
    }

    private mutating func put(
        _ cell: String, column: Column<Record>, into object: inout JSONObject, plan: ImportPlan
    ) throws {
        guard let reading = column.cell else { return }
        let text = CSVWriter.text(ofCell: cell)
        var name: String?
        var question: FormField?
        if case .answer = reading.form, let answer = reading.path.last {
            name = answer
            question = try self.question(answer, ofForm: object["form"]?.stringValue, plan: plan)
        }
        do throws(CellProblem) {
            guard let name else { return try reading.put(text, into: &object) }
            let value = try reading.value(ofCell: text, for: question)
            answers.append((name, value))
            if question == nil, let value, value.stringValue == nil { guessed = guessed ?? column.name }
        } catch {
            throw RowProblem(column: column.name, reason: error.reason)
        }
    }

    /// All at once: one by one, each would be looked for among the others.
    private func putAnswers(into object: inout JSONObject) {
        guard !answers.isEmpty else { return }
        let removed = Set(answers.filter { $0.value == nil }.map { Name($0.name) })
        let present = (object["answers"]?.objectValue?.members ?? []).filter { !removed.contains(Name($0.key)) }
        let given = answers.compactMap { answer in
            answer.value.map { JSONObject.Member(key: answer.name, value: $0) }
        }
        object["answers"] = JSONObject(members: present + given).unlessEmpty
    }

    private mutating func question(_ name: String, ofForm form: String?, plan: ImportPlan) throws -> FormField? {
        guard let form else { return nil }
        if questions[Name(form)] == nil {
            let fields = try plan.forms[Name(form)] ?? fields(ofForm: form)
            questions[Name(form)] = Dictionary(
                fields.map { (Name($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        }
        return questions[Name(form)]?[Name(name)]
    }

    /// None where this program cannot read the form: the look of its answers then decides on their types, with a note.
    private func fields(ofForm id: String) throws -> [FormField] {
        try store.forms.findReadable(id)?.fields ?? []
    }

    private func validated(_ id: String, from object: JSONObject) throws(RowProblem) -> Record {
        do throws(RecordError) {
            let record = try Record(id: id, object: object)
            try record.validate()
            return record
        } catch {
            let problem = error.problems.first
            let column = columns.first { column in
                problem.map { column.cell?.path.joined(separator: ".").isExactly($0.field) == true } ?? false
            }
            throw RowProblem(column: column?.name, reason: error.problems.map(\.description).joined(separator: "; "))
        }
    }
}

/// Why no record can be made of a row.
private struct RowProblem: Error {
    let column: String?
    let reason: String
}
