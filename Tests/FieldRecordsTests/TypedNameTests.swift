import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Testing

@testable import FieldRecords

/// A typed name is looked up by its bytes first; names that only look alike stay two names.
@Suite struct TypedNameTests {
    private static let one = "r\u{E9}"
    private static let two = "re\u{301}"

    private static let dishes = FormField("dish", label: "Dish", kind: .choice, choices: [one, two, "Café", "5"])

    @Test(arguments: [
        (one, one), (two, two), ("2", two), ("cafe\u{301}", "Café"), ("CAF", "Café"), ("5", "5"), ("R\u{C9}", nil),
        ("r", nil),
    ])
    func aChoiceIsTheOneWithTheBytes(text: String, expected: String?) throws {
        let today = try #require(CalendarDay("2026-03-04"))
        let read = Swift.Result { try AnswerReader.read(text, for: Self.dishes, today: today) }
        #expect((try? read.get().stringValue).flatMap { $0 }.map { Name($0) } == expected.map { Name($0) })
    }

    @Test func aFieldIsTheOneWithTheBytes() throws {
        let day = try #require(CalendarDay("2026-03-04"))
        var inspection = Inspection(id: "inspection-1", site: "site-1", date: day, district: .unknown)
        let form = FormDefinition(
            id: "form", name: "Form",
            fields: [FormField(Self.one, label: "One", kind: .text), FormField(Self.two, label: "Two", kind: .text)])
        try inspection.apply([(Self.two, "second")], form: form, today: day)
        #expect(inspection.answers[Self.two] == "second" && inspection.answers[Self.one] == nil)
        let fields = inspection.editableFields(form: form)
        #expect(fields.field(typed: "R\u{C9}") == nil)
        #expect(fields.field(typed: "NOTES")?.question.name == "notes")
    }

    // MARK: Bytes of records

    @Test func anExportKeepsAnswersApart() throws {
        let temporary = try TemporaryField()
        let day = try #require(CalendarDay("2026-03-04"))
        let hill = try #require(District("hill"))
        try temporary.field.sites.add(
            Site(id: "site-1", name: "Mill", address: Address(), district: hill), by: temporary.author)
        var inspection = Inspection(id: "inspection-1", site: "site-1", date: day, district: hill)
        inspection.answers = JSONObject(members: [
            .init(key: Self.one, value: "first"), .init(key: Self.two, value: "second"),
        ])
        try temporary.field.inspections.add(inspection, by: temporary.author)
        _ = try RecordExport(of: temporary.field, to: temporary.path("out"), format: .csv).run()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: temporary.path("out/inspections.csv")))
        let rows = CSVReader(Array(bytes)).map(\.fields)
        #expect(rows.first?.count { $0.utf8.reversed().starts(with: Self.one.utf8.reversed()) } == 1)
        #expect(rows.first?.count { $0.utf8.reversed().starts(with: Self.two.utf8.reversed()) } == 1)
        #expect(rows.last?.contains("first") == true && rows.last?.contains("second") == true)
    }

    @Test func anEditThatChangesBytesOnlyIsSaved() throws {
        let temporary = try TemporaryField()
        try temporary.field.sites.add(
            Site(id: "site-1", name: Self.one, address: Address(), district: .unknown), by: temporary.author)
        try temporary.field.sites.update("site-1", by: temporary.author) { $0.name = Self.two }
        #expect(try temporary.field.sites.find("site-1")?.name.isExactly(Self.two) == true)
    }

    /// Paths of an export's attachments that would be read from elsewhere; a slash with an accent behind it is one.
    @Test(arguments: ["../secret.png", "../\u{301}secret.png", "a/../../\u{301}secret.png"])
    func noAttachmentComesFromElsewhere(path: String) throws {
        let temporary = try TemporaryField()
        let bytes: [UInt8] = [1, 2, 3]
        for name in ["secret.png", "\u{301}secret.png", "in/a/x"] { _ = try temporary.file(name, bytes) }
        let digest = BlobDigest(of: bytes)
        _ = try temporary.file("in/\(ExportedAttachments.index)", "file,digest\n\(path),\(digest.text)\n")
        var folder = AttachmentFolder(URL(fileURLWithPath: temporary.path("in")))
        let photo = Photo(name: "secret.png", blob: BlobMetadata(digest: digest, length: 3, contentType: "image/png"))
        let problem = #expect(throws: LineProblem.self) {
            try folder.install([photo], into: temporary.field.database)
        }
        #expect(problem?.reason.contains("is not in the folder") == true, "\(problem?.reason ?? "")")
    }

    /// A record with one would be refused by each sync.
    @Test func noAttachmentIsLargerThanAGatewayTakes() throws {
        let temporary = try TemporaryField()
        let bytes = [UInt8](repeating: 1, count: Int(FieldRecordsLimits.attachment) + 1)
        let digest = BlobDigest(of: bytes)
        _ = try temporary.file("in/a.png", bytes)
        _ = try temporary.file("in/\(ExportedAttachments.index)", "file,digest\na.png,\(digest.text)\n")
        var folder = AttachmentFolder(URL(fileURLWithPath: temporary.path("in")))
        let metadata = BlobMetadata(digest: digest, length: UInt64(bytes.count), contentType: "image/png")
        let problem = #expect(throws: LineProblem.self) {
            try folder.install([Photo(name: "a.png", blob: metadata)], into: temporary.field.database)
        }
        #expect(problem?.reason.contains("larger than the 20 MB that a gateway takes") == true)
    }
}
