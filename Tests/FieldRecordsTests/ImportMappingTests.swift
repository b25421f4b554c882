import DocumentValues
import FieldModels
import Foundation
import Testing

@testable import FieldRecords

/// Spreadsheets whose columns have other names than ours.
@Suite struct ImportMappingTests {
    private static let sheet = """
        Nr;Trading name;Street and number;Town;District;Opened
        7;Old mill;1 Quay;Amble;hill;1987
        8;Bakery;;Amble;hi/ll;
        ;Nobody;;Amble;hill;

        """
    private static let choices = [
        ("business_id", "Nr"), ("name", "trading NAME"), ("address", "Street and number"), ("city", "Town"),
        ("state", ""), ("postal_code", ""),
    ]

    private func options(_ choices: [(String, String)] = choices) -> ImportOptions {
        var options = ImportOptions()
        options.columns = choices.map { ColumnChoice(field: $0.0, column: $0.1) }
        return options
    }

    private func lines(_ report: ImportReport) -> [String] { report.notes.map { "\($0.position): \($0.what)" } }

    @Test func aWrongChoiceOfColumnsIsCorrectedByImportingAgain() throws {
        let temporary = try TemporaryField()
        let path = try temporary.file("Book1.csv", Self.sheet)
        let wrong = Self.choices.map { $0.0 == "name" ? ("name", "Town") : $0 }
        _ = try RecordImport(into: temporary.field, options: options(wrong)).run([path])
        try temporary.field.sites.update("site-8", by: temporary.author) { $0.name = "The bakery" }
        let right = try RecordImport(into: temporary.field, options: options()).run([path])
        #expect(right.counts.map(\.updated) == [1] && right.counts.map(\.unchanged) == [1])
        #expect(try temporary.field.sites.find("site-7")?.name == "Old mill")
        #expect(try temporary.field.sites.find("site-8")?.name == "The bakery")
        // Under another name it is the same table.
        let moved = try temporary.file("moved/Book1.csv", Self.sheet)
        let again = try RecordImport(into: temporary.field, options: options()).run([moved])
        #expect(again.counts.map(\.unchanged) == [2])
    }

    @Test func columnsAreFoundByTheNamesThatAPersonGives() throws {
        let temporary = try TemporaryField()
        let path = try temporary.file("Book1.csv", Self.sheet)
        let report = try RecordImport(into: temporary.field, options: options()).run([path])
        let site = try #require(try temporary.field.sites.find("site-7"))
        #expect(site.name == "Old mill" && site.address == Address(street: "1 Quay", city: "Amble"))
        #expect(site.district?.code == "hill" && site.channels == ["district.hill"])
        #expect(report.counts.map(\.added) == [2] && report.counts.map(\.leftOut) == [1])
        // A broken row is named by its file, line and column, as the file calls it.
        #expect(
            lines(report) == [
                "Book1.csv:3, column 'District': the district 'hi/ll' has more than letters, digits, '-' and '_'",
                "Book1.csv:4, column 'Nr': no business_id: ,Nobody,,Amble,hill,",
            ])
        let again = try RecordImport(into: temporary.field, options: options()).run([path])
        #expect(again.counts.map(\.unchanged) == [2] && temporary.field.sites.count == 2)
    }

    @Test func aPreviewWritesNothing() throws {
        let temporary = try TemporaryField()
        let path = try temporary.file("Book1.csv", Self.sheet)
        var options = options()
        options.isPreview = true
        let report = try RecordImport(into: temporary.field, options: options).run([path])
        #expect(report.isPreview && report.counts.map(\.added) == [2] && report.counts.map(\.leftOut) == [1])
        #expect(report.samples.map(\.id) == ["site-7", "site-8"])
        #expect(report.samples.first?.body["name"] == "Old mill")
        #expect(temporary.field.sites.count == 0)
    }

    @Test func aStrictImportIsWholeOrNothing() throws {
        let temporary = try TemporaryField()
        let path = try temporary.file("Book1.csv", Self.sheet)
        var options = options()
        options.isStrict = true
        let error = #expect(throws: ImportError.self) {
            try RecordImport(into: temporary.field, options: options).run([path])
        }
        let text = error?.description ?? ""
        for part in ["1 row", "Book1.csv:4, column 'Nr'", "--strict", "Nothing was imported."] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(temporary.field.sites.count == 0)
        let mended = try temporary.file("Book1.csv", Self.sheet.replacing(";Nobody", with: "9;Nobody"))
        _ = try RecordImport(into: temporary.field, options: options).run([mended])
        #expect(temporary.field.sites.count == 3)
    }

    @Test(arguments: [
        ([("adress", "Street and number")], ["no column 'adress'", "address"]),
        ([("address", "Street")], ["No file has a column 'Street'", "Street and number"]),
        ([("business_id", "Nr")], ["no column address", "--map name=\"COLUMN\"", "--map name= where"]),
    ])
    func aMissingColumnNamesTheWayOut(choices: [(String, String)], parts: [String]) throws {
        let temporary = try TemporaryField()
        var options = options(choices)
        options.table = .sites
        let path = try temporary.file("Book1.csv", Self.sheet)
        let error = #expect(throws: ImportError.self) {
            try RecordImport(into: temporary.field, options: options).run([path])
        }
        for part in parts + ["Nothing was imported."] {
            #expect(error?.description.contains(part) == true, "\(String(describing: error))")
        }
        #expect(temporary.field.sites.count == 0)
    }

    @Test func furtherColumnsAreTakenWhereTheyAre() throws {
        let temporary = try TemporaryField()
        _ = try temporary.file(
            "in/sites.csv", "business_id,name,address,city,state,postal_code,district,notes\n1,Mill,,,,,hill,Bell\n")
        _ = try temporary.file(
            "in/visits.csv", "business_id,score,date,type,inspector,notes\n1,7,2026-03-01,routine,mara,Wet\n")
        _ = try temporary.file(
            "in/findings.csv", "business_id,date,description,risk\n1,2026-03-01,Dust,High\n1,2026-03-01,Mice,huge\n")
        let report = try RecordImport(into: temporary.field).run([temporary.path("in")])
        #expect(try temporary.field.sites.find("site-1")?.notes == "Bell")
        let inspection = try #require(try temporary.field.inspections.all().records.first)
        #expect(inspection.inspector == "mara" && inspection.notes == "Wet" && inspection.district?.code == "hill")
        let findings = try temporary.field.findings.all().records.sorted { $0.text < $1.text }
        #expect(findings.map(\.risk) == [.high, nil] && findings[1].notes == "Risk in findings.csv: huge")
        #expect(report.notes.map(\.column) == ["risk"])
    }

    /// Every row has the same number.
    @Test func manyRowsOfOneNumberHaveIDsOfTheirOwn() throws {
        var plan = ImportPlan()
        var ids: [String] = []
        for _ in 0..<500 { ids.append(plan.unusedID("site-1").id) }
        #expect(Set(ids.map { Name($0) }).count == 500 && ids[1] == "site-1-2" && ids[499] == "site-1-500")
        #expect(plan.unusedID("site-1-7").id == "site-1-7-2")
    }
}
