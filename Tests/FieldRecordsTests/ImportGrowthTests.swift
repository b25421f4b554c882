import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Testing
import WorkCount

@testable import FieldRecords

/// The cost of an import is at most proportional to the imported rows.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ImportGrowthTests {
    private struct Case: Sendable {
        let name: String
        let size: Int
        /// The files, by their names.
        let files: @Sendable (Int) -> [String: String]
        var options: @Sendable (Int) -> ImportOptions = { _ in ImportOptions() }
        /// Records that the import adds.
        let added: @Sendable (Int) -> Int
    }

    private static let sitesHead = "business_id,name,address,city,state,postal_code\n"
    private static let inspectionsHead = "business_id,score,date,type\n"
    private static let findingsHead = "business_id,date,description\n"

    private static func rows(_ count: Int, _ row: (Int) -> String) -> String {
        (0..<count).map { row($0) + "\n" }.joined()
    }

    /// A date for each of many rows.
    private static func date(_ number: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(2_000 + number / 336 % 26)\(two(number / 28 % 12 + 1))\(two(number % 28 + 1))"
    }

    /// One of each site.
    @Sendable private static func findings(_ count: Int) -> [String: String] {
        [
            "businesses.csv": sitesHead + rows(count) { "\($0 + 1),Mill \($0),,,,70112" },
            "inspections.csv": inspectionsHead + rows(count) { "\($0 + 1),90,20260301,routine" },
            "violations.csv": findingsHead + rows(count) { "\($0 + 1),20260301,Dirty" },
        ]
    }

    private static let cases: [Case] = [
        Case(
            name: "sites", size: 100,
            files: { ["businesses.csv": sitesHead + rows($0) { "\($0 + 1),Mill \($0),,,,70112" }] }, added: { $0 }),
        Case(
            name: "one site again and again", size: 100,
            files: { ["businesses.csv": sitesHead + rows($0) { "1,Mill \($0),,,,70112" }] }, added: { $0 }),
        Case(
            name: "inspections of one site", size: 100,
            files: {
                [
                    "businesses.csv": sitesHead + "1,Mill,,,,70112\n",
                    "inspections.csv": inspectionsHead + rows($0) { "1,90,\(date($0)),routine" },
                ]
            }, added: { $0 + 1 }),
        Case(
            name: "findings of one inspection", size: 100,
            files: {
                [
                    "businesses.csv": sitesHead + "1,Mill,,,,70112\n",
                    "inspections.csv": inspectionsHead + "1,90,20260301,routine\n",
                    "violations.csv": findingsHead + rows($0) { "1,20260301,Dirty \($0)" },
                ]
            }, added: { $0 + 2 }),
        Case(
            name: "inspections and findings of one site and day", size: 100,
            files: {
                [
                    "businesses.csv": sitesHead + "1,Mill,,,,70112\n",
                    "inspections.csv": inspectionsHead + rows($0) { _ in "1,90,20260301,routine" },
                    "violations.csv": findingsHead + rows($0) { "1,20260301,Dirty \($0)" },
                ]
            }, added: { 2 * $0 + 1 }),
        Case(name: "findings of many inspections", size: 100, files: findings, added: { 3 * $0 }),
        Case(
            name: "columns that nobody knows", size: 100,
            files: { count in
                let names = (0..<count).map { "x\($0)" }.joined(separator: ",")
                return [
                    "businesses.csv":
                        "business_id,name,address,city,state,postal_code,\(names)\n1,Mill,,,,70112,\(names)\n"
                ]
            }, added: { _ in 1 }),
        Case(
            name: "columns with other names, chosen again and again", size: 100,
            files: { _ in ["sites.csv": "Number,name,address,city,state,postal_code\n1,Mill,,,,70112\n"] },
            options: { count in
                var options = ImportOptions()
                options.columns = (0..<count).map { _ in ColumnChoice(field: "business_id", column: "Number") }
                return options
            }, added: { _ in 1 }),
        Case(
            name: "rows that are left out", size: 100,
            files: {
                ["inspections.csv": inspectionsHead + rows($0) { "\($0),90,no date,routine" }]
            }, added: { _ in 0 }),
        Case(
            name: "a quoted field that is too long", size: 20_000,
            files: {
                ["businesses.csv": sitesHead + "1,\"" + String(repeating: "a\"\"\n", count: $0) + "\",,,,70112\n"]
            },
            added: { _ in 0 }),
    ]

    @Test(arguments: cases.indices) func importingGrowsWithTheSize(index: Int) async throws {
        let one = Self.cases[index]
        Growth.countSQLite()
        let growth = try await Growth.of(one.size) { size in
            let temporary = try TemporaryField()
            for (name, text) in one.files(size) { _ = try temporary.file("in/\(name)", text) }
            return (size, temporary)
        } work: { size, temporary in
            let report = try RecordImport(into: temporary.field, options: one.options(size))
                .run([temporary.path("in")])
            #expect(report.counts.reduce(0) { $0 + $1.added } == one.added(size), "\(one.name): \(report.counts)")
        }
        #expect(!growth.isSquare, "\(one.name): \(growth)")
    }

    /// For these cells, Swift's own comparison with the known values would take minutes.
    @Test(.timeLimit(.minutes(1))) func cellsOfManyMarksAreRead() throws {
        let marks = "a" + String(repeating: "\u{301}\u{316}", count: 100_000)
        let temporary = try TemporaryField()
        _ = try temporary.file("in/businesses.csv", Self.sitesHead + "1,Mill,,,,70112\n")
        _ = try temporary.file("in/inspections.csv", Self.inspectionsHead + "1,90,20260301,\(marks)\n")
        _ = try temporary.file(
            "in/violations.csv", "business_id,date,description,risk\n1,20260301,Dirty,\(marks)\n")
        let report = try RecordImport(into: temporary.field).run([temporary.path("in")])
        #expect(report.counts.reduce(0) { $0 + $1.added } == 3, "\(report.counts)")
    }

    /// Findings of as many sites, written out by one laptop.
    private static func exported(_ count: Int, _ format: RecordExport.Format) throws -> (TemporaryField, String) {
        let first = try TemporaryField()
        for (name, text) in findings(count) { _ = try first.file("in/\(name)", text) }
        _ = try RecordImport(into: first.field).run([first.path("in")])
        _ = try RecordExport(of: first.field, to: first.path("out"), format: format).run()
        return (first, first.path("out"))
    }

    @Test(arguments: [RecordExport.Format.csv, .jsonl]) func importingAnExportGrowsWithTheSize(
        format: RecordExport.Format
    ) async throws {
        Growth.countSQLite()
        let growth = try await Growth.of(50) { size in
            (size, try Self.exported(size, format), try TemporaryField())
        } work: { size, exported, second in
            let report = try RecordImport(into: second.field, by: second.author).run([exported.1])
            #expect(report.counts.reduce(0) { $0 + $1.added } == 3 * size, "\(report.counts)")
            let again = try RecordImport(into: second.field, by: second.author).run([exported.1])
            #expect(again.counts.reduce(0) { $0 + $1.unchanged } == 3 * size, "\(again.counts)")
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    @Test func exportingGrowsWithTheSize() async throws {
        Growth.countSQLite()
        let growth = try await Growth.of(50) { size in
            try Self.exported(size, .jsonl).0
        } work: { first in
            _ = try RecordExport(of: first.field, to: first.path("again"), format: .both).run()
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    private static func answering(_ count: Int, _ value: Int) -> JSONObject {
        JSONObject(members: (0..<count).map { JSONObject.Member(key: "question-\($0)", value: .int(value + $0)) })
    }

    private static func cells(_ count: Int, _ value: Int) -> String {
        (0..<count).map { "\(value + $0)" }.joined(separator: ",")
    }

    /// An inspection of a long form, with a column for each answer: it is exported as a table, imported into another folder,
    /// changed there by the table, and exported again.
    @Test func exportingAndImportingAnswersGrowsWithTheirNumber() async throws {
        Growth.countSQLite()
        let growth = try await Growth.of(120) { size in
            let (first, second) = (try TemporaryField(), try TemporaryField())
            let district = try #require(District("70112"))
            var inspection = Inspection(
                id: "i", site: "s", date: CalendarDay(daysSince1970: 20_516), district: district)
            inspection.answers = Self.answering(size, 0)
            try first.field.inspections.add(inspection, by: first.author)
            _ = try RecordExport(of: first.field, to: first.path("old"), format: .csv).run()
            let text = try String(contentsOfFile: first.path("old/inspections.csv"), encoding: .utf8)
            let changed = text.replacing(Self.cells(size, 0), with: Self.cells(size, 1_000))
            #expect(changed != text)
            _ = try first.file("new/inspections.csv", changed)
            return (size, first, second)
        } work: { size, first, second in
            for name in ["old", "new"] {
                let report = try RecordImport(into: second.field, by: second.author).run([first.path(name)])
                #expect(report.leftOut == 0, "\(report)")
            }
            #expect(try second.field.inspections.find("i")?.answers == Self.answering(size, 1_000))
            _ = try RecordExport(of: second.field, to: second.path("again"), format: .csv).run()
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// A table's cell with members of a later version, and a record that already has some.
    @Test func puttingMembersOfACellGrowsWithTheirNumber() async throws {
        let growth = try await Growth.of(500) { size in
            JSONObject(members: (0..<size).map { JSONObject.Member(key: "member-\($0)", value: 1) })
        } work: { members in
            var object: JSONObject = ["name": "Mill"]
            try CellReading.members.put(members.description, into: &object)
            try CellReading.members.put(members.description, into: &object)
            #expect(object.count == members.count + 1)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// The import of `fieldbook db put` for lines of documents.
    @Test func savingDocumentsTogetherGrowsWithTheirNumber() async throws {
        Growth.countSQLite()
        let growth = try await Growth.of(50) { size in
            (size, try TemporaryField())
        } work: { size, temporary in
            let collection = temporary.field.collection(of: .site)
            try temporary.field.database.inBatch {
                for number in 0..<size {
                    let document = MutableDocument(id: "document\(number)")
                    try collection.save(document: document)
                }
            }
            #expect(collection.count == UInt64(size))
        }
        #expect(!growth.isSquare, "\(growth)")
    }
}
