import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

/// Records whose ids differ only in how an accent is written: "é" in one code point and in two, "Å" and the sign for
/// Ångström. Nothing that is done to one of them touches the other.
@Suite struct LookAlikeRecordTests {
    private static let pairs = [("visit-caf\u{E9}", "visit-cafe\u{301}"), ("visit-\u{C5}", "visit-\u{212B}")]

    private let temporary: TemporaryField
    private var field: FieldDatabase { temporary.field }

    init() throws { temporary = try TemporaryField() }

    /// A site, an inspection of it and a finding, under ids that end alike.
    private func add(_ id: String) throws {
        let author = temporary.author
        let day = try #require(CalendarDay("2026-03-04"))
        try field.sites.add(Site(id: "site-\(id)", name: "Mill", address: Address(), district: .unknown), by: author)
        try field.inspections.add(Inspection(id: id, site: "site-\(id)", date: day, district: .unknown), by: author)
        try field.findings.add(
            Finding(
                id: "finding-\(id)", inspection: id, site: "site-\(id)", date: day, text: "Dust", district: .unknown),
            by: author)
    }

    private func hasAll(_ id: String) throws -> Bool {
        try field.sites.find("site-\(id)") != nil && field.inspections.find(id) != nil
            && field.findings.find("finding-\(id)") != nil
    }

    @Test(arguments: pairs) func deletingAnInspectionLeavesTheOthersFindings(id: String, other: String) throws {
        try add(id)
        try add(other)
        #expect(try field.removals.deleteInspection(id) == 1)
        #expect(try hasAll(other))
    }

    @Test(arguments: pairs) func aSiteIsInUseByItsOwnInspectionsOnly(id: String, other: String) throws {
        try add(id)
        try add(other)
        _ = try field.removals.deleteInspection(id)
        try field.removals.deleteSite("site-\(id)")
        #expect(try hasAll(other))
    }

    @Test(arguments: pairs) func aRefusedInspectionIsDiscardedAlone(id: String, other: String) throws {
        try add(id)
        try add(other)
        for id in [id, other] { try field.refuse(.inspection, id) }
        let refused = try #require(try field.outbox.all().first { Name($0.documentID) == Name(id) })
        #expect(try field.outbox.newFindings(of: refused).map { Name($0.id) } == [Name("finding-\(id)")])
        #expect(try field.outbox.discard(refused) == .purged)
        #expect(try hasAll(other))
        #expect(try field.outbox.all().map { Name($0.documentID) } == [Name(other)])
    }

    /// Observers of the outbox compare its entries.
    @Test(arguments: pairs) func refusalsOfTwoAreTwo(id: String, other: String) throws {
        try add(id)
        try add(other)
        try field.refuse(.inspection, id)
        try field.refuse(.inspection, other)
        let pushes = try field.database.rejectedPushes()
        #expect(Set(pushes.map { Name($0.documentID) }).count == 2)
        #expect(try field.collection(of: .inspection).purgeIfUnsent(id: id))
        #expect(try field.database.rejectedPushes().map { Name($0.documentID) } == [Name(other)])
    }

    // MARK: - Answers

    @Test func answersBelongToTheirQuestions() throws {
        let (name, other) = ("caf\u{E9}", "cafe\u{301}")
        let isAsked = FormField.Condition(field: other, equals: true)
        let form = FormDefinition(
            id: "form", name: "Form",
            fields: [
                FormField(name, label: "A", kind: .yesNo), FormField("then", label: "B", kind: .text, when: isAsked),
            ])
        let asked = FormCheck.asked(in: form, answers: JSONObject(members: [.init(key: other, value: true)]))
        #expect(asked.map { Name($0.name) } == [Name(name)])
        let today = try #require(CalendarDay("2026-03-04"))
        let choice = FormField("which", label: "Which", kind: .choice, choices: [name, other])
        #expect(
            FormCheck.problems(of: ["which": .string(other)], in: FormDefinition(id: "f", name: "F", fields: [choice]))
                .isEmpty)
        let one = FormDefinition(
            id: "f", name: "F", fields: [FormField("which", label: "Which", kind: .choice, choices: [name])])
        #expect(FormCheck.problems(of: ["which": .string(other)], in: one).count == 1)
        for text in [name, other] {
            #expect(try AnswerReader.read(text, for: choice, today: today) == .string(text), "as it was typed")
        }
    }

    @Test func aFieldIsTheOneThatWasNamed() throws {
        let (name, other) = ("caf\u{E9}", "cafe\u{301}")
        let form = FormDefinition(
            id: "form", name: "Form",
            fields: [FormField(name, label: "A", kind: .text), FormField(other, label: "B", kind: .text)])
        let today = try #require(CalendarDay("2026-03-04"))
        var inspection = Inspection(id: "i", site: "s", date: today, district: .unknown)
        try inspection.apply([(other, "second")], form: form, today: today)
        #expect(inspection.answers[name] == nil && inspection.answers[other] == "second")
    }

    // MARK: - Attachments, export and import

    private func attach(_ name: String, _ byte: UInt8, to id: String) throws {
        let folder = "in-\(byte)"
        let file = try temporary.file("\(folder)/\(name)", [0x89, 0x50, 0x4E, 0x47, byte])
        try field.photos.attach(file: file, toInspection: id, caption: nil, by: temporary.author)
    }

    @Test func photosKeepTheirNames() throws {
        try add("visit-1")
        try attach("caf\u{E9}.png", 1, to: "visit-1")
        try attach("cafe\u{301}.png", 2, to: "visit-1")
        try attach("cafe\u{301}.png", 3, to: "visit-1")
        let photos = try field.photos.all(of: .inspection, "visit-1")
        #expect(photos.map { Name($0.name) } == ["caf\u{E9}.png", "cafe\u{301}.png", "cafe\u{301}-2.png"])
        try field.photos.remove(photos[0], of: .inspection, id: "visit-1", by: temporary.author)
        #expect(
            try field.photos.all(of: .inspection, "visit-1").map { Name($0.name) } == [
                "cafe\u{301}.png", "cafe\u{301}-2.png",
            ])
    }

    private func table(_ name: String) throws -> [[String]] {
        CSVReader(Array(try Data(contentsOf: URL(fileURLWithPath: temporary.path("out/\(name).csv"))))).map(\.fields)
    }

    @Test(arguments: pairs) func whatIsExportedComesBackApart(id: String, other: String) throws {
        try add(id)
        try add(other)
        try attach("\u{C5}.png", 1, to: id)
        try attach("\u{212B}.png", 2, to: other)
        try field.sites.update("site-\(other)", by: temporary.author) { $0.name = "Other mill" }
        let report = try RecordExport(of: field, to: temporary.path("out"), format: .csv).run()
        #expect(report.attachments == 2 && report.missingAttachments.isEmpty)
        let rows = try table("inspections")
        let columns = try #require(rows.first)
        let (names, photos) = (columns.firstIndex(of: "site_name"), columns.firstIndex(of: "photos"))
        for row in rows.dropFirst() {
            let isFirst = Name(row[0]) == Name(id)
            #expect(row[try #require(names)] == (isFirst ? "Mill" : "Other mill"))
            let file = temporary.path("out/\(row[try #require(photos)])")
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)).last == (isFirst ? 1 : 2))
        }
        _ = try RecordExport(of: field, to: temporary.path("lines"), format: .jsonl).run()
        let second = try TemporaryField()
        let imported = try RecordImport(into: second.field).run([temporary.path("lines")])
        #expect(imported.notes.filter { $0.kind == .leftOut }.isEmpty)
        for (id, name, byte) in [(id, "\u{C5}.png", UInt8(1)), (other, "\u{212B}.png", 2)] {
            let photo = try #require(try second.field.photos.all(of: .inspection, id).first)
            #expect(Name(photo.name) == Name(name))
            let file = second.root.appendingPathComponent("back-\(byte)")
            try second.field.photos.save(photo, of: .inspection, id: id, to: file)
            #expect(try Data(contentsOf: file).last == byte)
            #expect(try second.field.findings.find("finding-\(id)")?.inspection.map { Name($0) } == Name(id))
        }
    }

    /// One character can have any number of marks, and file systems count bytes. No such file is hidden, either.
    @Test func aNameOfAnyLengthIsExported() throws {
        try add("visit-1")
        let marks = String(repeating: "\u{345}", count: 110)
        try attach("a\(marks).png", 1, to: "visit-1")
        try field.sites.update("site-visit-1", by: temporary.author) { site in
            site.name = ".\u{345}" + String(repeating: "\u{10400}\u{345}", count: 150)
        }
        let report = try RecordExport(of: field, to: temporary.path("out"), format: .csv).run()
        #expect(report.attachments == 1)
        let path = try #require(try table("attachments").last?.first)
        for part in path.split(atByte: "/") {
            #expect(part.utf8.count <= 255 && part.utf8.first != UInt8(ascii: "."))
        }
        #expect(path.utf8.suffix(4).elementsEqual(".png".utf8))
    }

    /// A member that begins with `_` is the database's, even if an accent follows.
    @Test func aReservedMemberIsNotImported() throws {
        let line =
            #"{"_id":"site-1","_\#u{301}x":1,"type":"site","schema":1,"name":"Mill","district":"hill","#
            + #""channels":["district.hill"]}"#
        let file = try temporary.file("sites.jsonl", line)
        let report = try RecordImport(into: field).run([file])
        #expect(report.notes.isEmpty, "\(report.notes)")
        #expect(try field.sites.find("site-1")?.envelope.rest.isEmpty == true)
    }
}
