import DocumentValues
import FieldModels

/// Visits to sites: `business_id,score,date,type`, and where known `inspector` and `notes`.
enum InspectionTable {
    static let columns = ["business_id", "score", "date", "type"]
    static let furtherColumns = ["inspector", "notes"]

    static func read(
        _ bytes: [UInt8], file: String, map: ColumnMap = ColumnMap(), into plan: inout ImportPlan
    ) throws {
        var table = try CSVTable(file: file, bytes: bytes, required: columns, map: map)
        var twins = try twins(in: table, plan: plan)
        plan.begin(file: file, kind: .inspection)
        while let row = table.next() {
            plan.beginRow(row, of: table)
            try add(row, of: table, twins: &twins, to: &plan)
        }
    }

    private static func twins(in table: CSVTable, plan: ImportPlan) throws -> RegisterTwins {
        let rows = table.lookingAhead { row -> RegisterTwins.Row? in
            guard let number = row["business_id"], let date = row["date"].flatMap({ CalendarDay($0) }) else {
                return nil
            }
            return RegisterTwins.Row(id: id(of: number, date: date), digest: SourceDigest.of(row.row.fields), name: "")
        }
        return try RegisterTwins(rows, isTaken: plan.isTaken) { try plan.knownInspection($0)?.row }
    }

    static func id(of number: String, date: CalendarDay) -> String {
        "inspection-\(RegisterID.part(of: number))-\(date)"
    }

    private static func add(
        _ row: CSVTableRow, of table: CSVTable, twins: inout RegisterTwins, to plan: inout ImportPlan
    ) throws {
        guard let number = row["business_id"] else {
            return plan.leaveOut(row, of: table, column: "business_id", because: "no business_id")
        }
        guard let date = row["date"].flatMap({ CalendarDay($0) }) else {
            return plan.leaveOut(row, of: table, column: "date", because: "no date such as 2017-12-11 or 20171211")
        }
        let site = plan.site(ofRegister: number)
        let alone = id(of: number, date: date)
        let found = twins.next(alone)
        if let found { plan.take(found) }
        let id = found ?? plan.unusedID(alone).id
        let ordinal = plan.remember(inspection: id, on: ImportPlan.SiteDay(site: site, date: date))
        if ordinal > 1 {
            plan.note(
                .sameSiteAndDay, table: table, row: row, record: id,
                what: "site \(number) was inspected on \(date) before",
                outcome: "both kept; findings of the day go to the first")
        }
        let district = try plan.district(ofSite: site, for: row, of: table)
        var inspection = Inspection(id: id, site: site, date: date, district: district)
        // The inspections of a register have been reviewed.
        inspection.status = .approved
        inspection.inspector = row["inspector"]
        inspection.notes = row["notes"]
        readScore(row, table: table, plan: &plan, into: &inspection)
        readVisit(row, table: table, plan: &plan, into: &inspection)
        plan.add(inspection, from: row, of: table)
    }

    private static func readScore(
        _ row: CSVTableRow, table: CSVTable, plan: inout ImportPlan, into inspection: inout Inspection
    ) {
        guard let text = row["score"] else { return }
        if let score = Int(text), Inspection.scores.contains(score) {
            inspection.score = score
        } else {
            inspection.addNote("Score in \(table.file): \(text)")
            plan.note(
                .valueOdd, table: table, row: row, record: inspection.id,
                what: "'\(text.shortened)' is no score from 0 to 100",
                outcome: "kept in the notes")
        }
    }

    private static func readVisit(
        _ row: CSVTableRow, table: CSVTable, plan: inout ImportPlan, into inspection: inout Inspection
    ) {
        guard let text = row["type"] else { return }
        let typed = text.lowercased()
        if let visit = Inspection.Visit.allCases.first(where: { $0.rawValue.lowercased().isExactly(typed) }) {
            inspection.visit = visit
        } else {
            inspection.addNote("Type in \(table.file): \(text)")
            plan.note(
                .valueOdd, table: table, row: row, record: inspection.id,
                what: "'\(text.shortened)' is no type of inspection",
                outcome: "imported as routine, kept in the notes")
        }
    }
}

extension Inspection {
    fileprivate mutating func addNote(_ line: String) { notes = notes.map { $0 + "\n" + line } ?? line }
}
