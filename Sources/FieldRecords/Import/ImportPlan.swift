import DocumentValues
import FieldModels

/// A record that a row of a file was turned into.
struct PlannedRecord: Sendable {
    let kind: RecordKind
    let id: String
    let digest: String
    let body: [UInt8]
    let file: String
    let line: Int
    /// The index of its table among the counts of the report.
    let table: Int
    var basis = Basis.none

    /// The stored version that was changed.
    enum Basis: Sendable {
        /// It is not made of a record that is here.
        case none
        /// The same; it was read from a register's row just now.
        case row
        /// This body: where there is another by now, that stays.
        case body([UInt8])
        /// The version that was here when the table was written is not here any more: the present one stays.
        case outdated
    }
}

/// The records that the rows of a few files become. It does not write, so that it can be shown before the import.
///
/// Ids are made from the content of the rows, so that importing the same files again finds the same records.
struct ImportPlan {
    private(set) var records: [PlannedRecord] = []
    private(set) var report = ImportReport()
    /// For rows whose site is in no file of this import: the district of the site that is here already.
    var knownDistrict: (_ site: String) throws -> District? = { _ in nil }

    /// The sites that are meant by a register's numbers, where they have other ids than those of the numbers.
    private var sites: [Name: String] = [:]
    /// A site that is here, by its id.
    var knownSite: (_ id: String) throws -> RegisterTwins.Known? = { _ in nil }

    /// The questions of the forms that are read with the tables.
    private(set) var forms: [Name: [FormField]] = [:]

    private var districts: [Name: District] = [:]
    /// The ids that are taken, with the number of the next row of the same id.
    private var ids: [Name: Int] = [:]
    /// The ids of the rows of exported tables.
    private var exported: [RecordKind: Set<Name>] = [:]
    /// Inspections that are here, and that a table says are of another site.
    private(set) var moved: Set<Name> = []
    private var inspections: [SiteDay: InspectionsOfDay] = [:]

    struct SiteDay: Hashable {
        @Exact private(set) var site: String
        let date: CalendarDay
    }

    /// The site and day of an inspection that is here, and the row that it came of.
    var knownInspection: (_ id: String) throws -> (day: SiteDay, row: RegisterTwins.Known)? = { _ in nil }
    /// That of a finding that is here.
    var inspectionOfFinding: (_ id: String) throws -> String? = { _ in nil }
    /// Those that are here, of the sites and days that were asked for.
    private var knownInspections: [SiteDay: InspectionsOfDay] = [:]

    /// The inspections of a site on a day. There may be any number.
    struct InspectionsOfDay {
        private(set) var count = 0
        /// By their ids, whatever the order of the rows; `nil` where there are none.
        private(set) var first: String?

        mutating func add(_ id: String) {
            count += 1
            let isEarlier = first.map { (id.utf8.count, Name(id)) < ($0.utf8.count, Name($0)) } ?? true
            if isEarlier { first = id }
        }
    }

    mutating func begin(file: String, kind: RecordKind) {
        report.counts.append(ImportCount(file: file, records: kind.plural))
    }

    /// The table's next row is being read; notes the defects of its form.
    mutating func beginRow(_ row: CSVTableRow, of table: CSVTable) {
        report.counts[report.counts.count - 1].rows += 1
        if row.row.isLegacyText {
            note(
                .bytesNotUTF8, table: table, row: row, what: "bytes that are not UTF-8",
                outcome: "read as Windows-1252")
        }
        switch row.row.defect {
        case .unclosedQuote?:
            note(
                .malformedRow, table: table, row: row, what: "a quotation mark that is never closed",
                outcome: "taken as part of the text")
        case .textAfterQuote?:
            note(
                .malformedRow, table: table, row: row, what: "text after a closing quotation mark",
                outcome: "added to the field")
        case nil: break
        }
        let width = row.row.fields.count
        if width < table.width {
            note(
                .fieldCount, table: table, row: row, what: "\(width) fields instead of \(table.width)",
                outcome: "the others taken as empty")
        } else if width > table.width {
            let extra = row.row.fields[table.width...].joined(separator: ",")
            note(
                .fieldCount, table: table, row: row, what: "\(width) fields instead of \(table.width)",
                outcome: "imported without '\(extra.shortened)'")
        }
    }

    /// - Parameter column: the one of ours that it is about.
    mutating func note(
        _ kind: ImportNote.Kind, table: CSVTable, row: CSVTableRow, record: String? = nil, column: String? = nil,
        what: String, outcome: String
    ) {
        report.notes.append(
            ImportNote(
                kind: kind, file: table.file, line: row.row.line, column: column.map { table.heading(of: $0) },
                record: record, what: what, outcome: outcome))
    }

    /// The row cannot become a record; it is counted and shown whole.
    mutating func leaveOut(
        _ row: CSVTableRow, of table: CSVTable, column: String? = nil, because reason: String
    ) {
        report.counts[report.counts.count - 1].leftOut += 1
        let text = row.row.fields.joined(separator: ",").shortened
        note(.leftOut, table: table, row: row, column: column, what: "\(reason): \(text)", outcome: "left out")
    }

    mutating func add(_ record: some FieldRecord, from row: CSVTableRow, of table: CSVTable) {
        let digest = SourceDigest.of(row.row.fields)
        var record = record
        record.envelope.source = RecordSource(file: table.file, digest: digest)
        let problems = record.problems()
        guard problems.isEmpty else {
            return leaveOut(row, of: table, because: problems.map(\.description).joined(separator: "; "))
        }
        records.append(
            PlannedRecord(
                kind: type(of: record).kind, id: record.id, digest: digest, body: record.body, file: table.file,
                line: row.row.line, table: report.counts.count - 1, basis: .row))
    }

    /// A record of a row that was begun.
    mutating func take(_ record: PlannedRecord) { records.append(record) }

    mutating func remember(_ form: FormDefinition) { forms[Name(form.id)] = form.fields }

    /// A record that was read whole.
    mutating func append(_ record: PlannedRecord) {
        report.counts[report.counts.count - 1].rows += 1
        records.append(record)
    }

    mutating func noteLeftOut(_ note: ImportNote) {
        report.counts[report.counts.count - 1].rows += 1
        report.counts[report.counts.count - 1].leftOut += 1
        report.notes.append(note)
    }

    /// The id itself, or with `-2`, `-3` … where an earlier row took it.
    mutating func unusedID(_ id: String) -> (id: String, isFirst: Bool) {
        guard var number = ids[Name(id)] else {
            ids[Name(id)] = 2
            return (id, true)
        }
        while ids[Name("\(id)-\(number)")] != nil { number += 1 }
        ids[Name(id)] = number + 1
        ids[Name("\(id)-\(number)")] = 2
        return ("\(id)-\(number)", false)
    }

    /// Of an id that was found for the row, where it is one of several of the same id.
    mutating func take(_ id: String) { ids[Name(id)] = ids[Name(id)] ?? 2 }

    /// The site that a register's only row of a number is, where it is not the first of several that there were.
    mutating func remember(site id: String, ofRegister alone: String) { sites[Name(alone)] = id }

    /// The site to which records of a register's number go.
    func site(ofRegister number: String) -> String {
        let alone = SiteTable.id(of: number)
        return sites[Name(alone)] ?? alone
    }

    func isTaken(_ id: String) -> Bool { ids[Name(id)] != nil }

    /// - Returns: false where an earlier row of an exported table has the id of that kind of record.
    mutating func takeID(_ id: String, of kind: RecordKind) -> Bool {
        exported[kind, default: []].insert(Name(id)).inserted
    }

    mutating func remember(_ district: District, ofSite id: String) { districts[Name(id)] = district }

    mutating func remember(movedInspection id: String) { moved.insert(Name(id)) }

    mutating func remember(inspection id: String, on key: SiteDay) -> Int {
        inspections[key, default: InspectionsOfDay()].add(id)
        return inspections[key]?.count ?? 0
    }

    /// The inspections of the files being read, or else, if those have none of that site and day, the stored ones.
    ///
    /// - Parameter finding: the id of the finding that is to be joined.
    mutating func inspections(on key: SiteDay, ofRegister number: String, finding: String) throws -> InspectionsOfDay {
        if let read = inspections[key] { return read }
        var found = InspectionsOfDay()
        if let present = try inspectionOfFinding(finding) {
            found.add(present)
            return found
        }
        if let known = knownInspections[key] { return known }
        // As the table of inspections names them.
        var id = InspectionTable.id(of: number, date: key.date)
        while let known = try knownInspection(id), known.day == key {
            found.add(id)
            id = "\(InspectionTable.id(of: number, date: key.date))-\(found.count + 1)"
        }
        knownInspections[key] = found
        return found
    }

    func district(ofKnownSite id: String) throws -> District? { try districts[Name(id)] ?? knownDistrict(id) }

    /// The district of the row's site; if the site is unknown, the row gets the unknown district.
    mutating func district(ofSite id: String, for row: CSVTableRow, of table: CSVTable) throws -> District {
        if let district = try district(ofKnownSite: id) { return district }
        note(
            .siteUnknown, table: table, row: row, record: id, what: "its site is in no file and not in this database",
            outcome: "imported into the district '\(District.unknown)'")
        return .unknown
    }
}
