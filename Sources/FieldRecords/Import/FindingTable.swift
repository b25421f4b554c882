import DocumentValues
import FieldModels

/// A table of findings: `business_id,date,description`, and if known `risk` and `notes`.
enum FindingTable {
    static let columns = ["business_id", "date", "description"]
    static let furtherColumns = ["risk", "notes"]

    static func read(
        _ bytes: [UInt8], file: String, map: ColumnMap = ColumnMap(), into plan: inout ImportPlan
    ) throws {
        var table = try CSVTable(file: file, bytes: bytes, required: columns, map: map)
        plan.begin(file: file, kind: .finding)
        while let row = table.next() {
            plan.beginRow(row, of: table)
            try add(row, of: table, to: &plan)
        }
    }

    private static func add(_ row: CSVTableRow, of table: CSVTable, to plan: inout ImportPlan) throws {
        guard let number = row["business_id"] else {
            return plan.leaveOut(row, of: table, column: "business_id", because: "no business_id")
        }
        guard let date = row["date"].flatMap({ CalendarDay($0) }) else {
            return plan.leaveOut(row, of: table, column: "date", because: "no date such as 2017-12-11 or 20171211")
        }
        guard let description = row["description"] else {
            return plan.leaveOut(row, of: table, column: "description", because: "no description")
        }
        let parts = FindingDescription(description)
        let site = plan.site(ofRegister: number)
        // The correction is no part of the id, so that a later file with one updates the finding.
        let text = SourceDigest.of([parts.text]).prefix(8)
        let (id, isFirst) = plan.unusedID("finding-\(RegisterID.part(of: number))-\(date)-\(text)")
        if !isFirst {
            plan.note(
                .sameFindingTwice, table: table, row: row, record: id, what: "the same text for the same site and day",
                outcome: "both kept")
        }
        let district = try plan.district(ofSite: site, for: row, of: table)
        var finding = Finding(id: id, inspection: nil, site: site, date: date, text: parts.text, district: district)
        finding.inspection = try inspection(of: finding, number, row: row, table: table, plan: &plan)
        finding.notes = row["notes"]
        readRisk(row, table: table, plan: &plan, into: &finding, else: parts.risk)
        readCorrection(parts.correction, row: row, table: table, plan: &plan, into: &finding)
        plan.add(finding, from: row, of: table)
    }

    private static func inspection(
        of finding: Finding, _ number: String, row: CSVTableRow, table: CSVTable, plan: inout ImportPlan
    ) throws -> String? {
        let inspections = try plan.inspections(
            on: ImportPlan.SiteDay(site: finding.site, date: finding.date), ofRegister: number, finding: finding.id)
        guard let first = inspections.first else {
            plan.note(
                .findingWithoutInspection, table: table, row: row, record: finding.id,
                what: "no inspection of site \(number) on \(finding.date)", outcome: "kept, joined to its site only")
            return nil
        }
        if inspections.count > 1 {
            plan.note(
                .severalInspections, table: table, row: row, record: finding.id,
                what: "\(inspections.count) inspections of site \(number) on \(finding.date)",
                outcome: "joined to \(first)")
        }
        return first
    }

    private static func readRisk(
        _ row: CSVTableRow, table: CSVTable, plan: inout ImportPlan, into finding: inout Finding,
        else described: Finding.Risk?
    ) {
        finding.risk = described
        guard let text = row["risk"] else { return }
        if let risk = Finding.Risk(exactly: text.lowercased()) {
            finding.risk = risk
        } else {
            finding.notes = (finding.notes.map { $0 + "\n" } ?? "") + "Risk in \(table.file): \(text)"
            plan.note(
                .valueOdd, table: table, row: row, record: finding.id, column: "risk",
                what: "'\(text.shortened)' is none of low, moderate, high", outcome: "kept in the notes")
        }
    }

    private static func readCorrection(
        _ text: String?, row: CSVTableRow, table: CSVTable, plan: inout ImportPlan, into finding: inout Finding
    ) {
        guard let text else { return }
        if let day = FindingDescription.day(text), day >= finding.date {
            finding.corrected = day
            return
        }
        finding.notes = (finding.notes.map { $0 + "\n" } ?? "") + "Corrected: \(text)"
        let what = FindingDescription.day(text) == nil ? "is no day" : "is before the finding"
        plan.note(
            .valueOdd, table: table, row: row, record: finding.id, what: "corrected '\(text.shortened)' \(what)",
            outcome: "kept in the notes")
    }
}

/// `High risk vermin infestation  [ date violation corrected: 12/11/2017 ]`, taken apart.
struct FindingDescription {
    let text: String
    let risk: Finding.Risk?
    /// The text of the note about the correction, readable or not.
    let correction: String?

    private static let marker = "[ date violation corrected:"

    init(_ description: String) {
        if let start = description.firstRange(of: Self.marker), description.hasSuffix("]") {
            text = description[..<start.lowerBound].trimmingSpaces
            correction = description[start.upperBound...].dropLast().trimmingSpaces
        } else {
            text = description
            correction = nil
        }
        let lowercased = text.lowercased()
        risk =
            lowercased.contains("high risk")
            ? .high : lowercased.contains("moderate risk") ? .moderate : lowercased.contains("low risk") ? .low : nil
    }

    /// `12/11/2017`: month, day, year.
    static func day(_ text: String) -> CalendarDay? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let month = parts[0], let day = parts[1], let year = parts[2] else { return nil }
        return CalendarDay(year: year, month: month, day: day)
    }
}
