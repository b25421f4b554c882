import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell
@testable import FieldSync

/// Names that look alike are different ones: "é" in one code point and in two. What is one user's, one site's or one
/// question's is never taken for the other's.
@Suite struct LookAlikeShellTests {
    private static let one = "r\u{E9}"
    private static let two = "re\u{301}"
    private static let day = CalendarDay(daysSince1970: 20_516)
    private static let author = Author(name: one, moment: Timestamp(secondsSince1970: 1_772_619_307))
    private static let hill = District("hill") ?? .unknown

    private func inspection(
        _ id: String, site: String = "site-mill", inspector: String? = nil, _ status: Inspection.Status = .draft
    ) -> Inspection {
        var inspection = Inspection(id: id, site: site, date: Self.day, district: Self.hill)
        inspection.inspector = inspector
        inspection.status = status
        return inspection
    }

    private func add(_ records: Inspection..., to shell: Shell) throws {
        for record in records {
            try shell.field.inspections.add(record, by: Author(name: nil, moment: Self.author.moment))
        }
    }

    // MARK: Users

    /// - Parameter isOwn: what the user with the other form of the name must not get, or must be allowed.
    @Test(arguments: [(one, true), (two, false)]) func workIsOfTheUserWithTheSameBytes(user: String, isOwn: Bool)
        async throws
    {
        let shell = try Shell()
        try shell.signIn(user)
        try add(
            inspection("inspection-aa", inspector: Self.one, .submitted),
            inspection("inspection-bb", inspector: Self.one, .submitted),
            inspection("inspection-cc", inspector: Self.one, .returned), to: shell)
        let mine = try await shell.type("list --mine")
        #expect(mine.contains("aa") == isOwn, "\(mine)")
        #expect(
            try ReturnedInspections(to: shell.session.author().name, in: shell.field).all().map(\.reference.id)
                == (isOwn ? ["inspection-cc"] : []))
        let approved = try await shell.type("approve inspection-aa")
        #expect(approved.contains("This inspection is your own") == isOwn, "\(approved)")
        let returned = try await shell.type("return inspection-bb why")
        #expect(returned.contains("This inspection is your own") == isOwn, "\(returned)")
    }

    @Test(arguments: [(one, 80), (two, 60)] as [(String, Int64)]) func mineIsTheValueOfTheSameBytes(
        user: String, score: Int64
    ) throws {
        let shell = try Shell()
        var object: JSONObject = ["type": "inspection", "site": "site-mill", "date": "2026-03-04", "score": 80]
        object["conflicts"] = [
            ["field": "score", "value": 80, "by": .string(Self.one)],
            ["field": "score", "value": 60, "by": .string(Self.two)],
        ]
        let conflict = try #require(RecordConflict(.inspection, id: "inspection-aa", object: object))
        let names = try ConflictNames(conflict, in: shell.field)
        let field = try #require(conflict.fields.first)
        let choice = ConflictChoice(device: nil, user: user, names: names)
        #expect(try choice.value("mine", of: field).value?.integerValue == score)
        #expect(try choice.value("theirs", of: field).value?.integerValue == 140 - score)
        // By a name that is typed, too.
        #expect(try choice.value(user, of: field).value?.integerValue == score)
    }

    @Test func aNameThatReadsLikeAnotherIsSpelled() {
        #expect(NameContrast.shown("r\u{E9}", besides: "re\u{301}").utf8.elementsEqual("r\u{E9} (r\\u{00E9})".utf8))
        #expect(NameContrast.shown("re\u{301}", besides: "r\u{E9}").hasSuffix(" (re\\u{0301})"))
        for other in ["r\u{E9}", "mara", "R\u{E9}"] {
            #expect(NameContrast.shown("r\u{E9}", besides: other).count == 2)
        }
    }

    @Test func aSignInOfALookAlikeIsAnother() throws {
        let shell = try Shell()
        func identity(_ user: String, _ password: String) -> GatewayConnection.Identity {
            GatewayConnection(
                field: shell.field, settings: FolderSettings(), credentials: Credentials(user: user, password: password)
            ).identity
        }
        #expect(identity(Self.one, "x") != identity(Self.two, "x"))
        #expect(identity("mara", Self.one) != identity("mara", Self.two))
        #expect(identity(Self.one, Self.two) == identity(Self.one, Self.two))
    }

    // MARK: Records

    @Test func referencesAreComparedByBytesAndKind() {
        let references: Set = [
            RecordReference(.site, id: Self.one), RecordReference(.site, id: Self.two),
            RecordReference(.form, id: Self.one),
        ]
        #expect(references.count == 3)
        #expect(RecordReference(.site, id: Self.one) == RecordReference(.site, id: Self.one))
    }

    @Test func listsAndDetailsKeepSitesApart() async throws {
        let shell = try Shell()
        for (id, name) in [("site-\(Self.one)", "First"), ("site-\(Self.two)", "Second")] {
            try shell.field.sites.add(
                Site(id: id, name: name, address: Address(), district: Self.hill), by: Self.author)
        }
        try add(inspection("inspection-aa", site: "site-\(Self.one)"), to: shell)
        try shell.field.findings.add(
            Finding(
                id: "finding-aa", inspection: nil, site: "site-\(Self.one)", date: Self.day, text: "Dust",
                district: Self.hill), by: Self.author)
        let second = try await shell.type("show \"site-\(Self.two)\"")
        #expect(second.contains("Second") && !second.contains("Inspections") && !second.contains("Dust"), "\(second)")
        let first = try await shell.type("show \"site-\(Self.one)\"")
        #expect(first.contains("Inspections") && first.contains("Dust"), "\(first)")
        #expect(try await shell.type("list").contains("First"))
        let sites = try await shell.type("sites")
        #expect(sites.split(separator: "\n").contains { $0.contains("Second") && $0.contains("never") }, "\(sites)")
        let names = try SiteNames(shell.field)
        #expect(names["site-\(Self.one)"] == "First" && names["site-\(Self.two)"] == "Second")
    }

    @Test func aDeletionTakesItsOwnFindings() async throws {
        let shell = try Shell()
        try add(inspection("inspection-\(Self.one)"), inspection("inspection-\(Self.two)"), to: shell)
        try shell.field.findings.add(
            Finding(
                id: "finding-aa", inspection: "inspection-\(Self.one)", site: "site-mill", date: Self.day,
                text: "Dust", district: Self.hill), by: Self.author)
        let deletion = try Deletion(of: RecordReference(.inspection, id: "inspection-\(Self.two)"), in: shell.field)
        #expect(deletion.findings == 0 && !deletion.summary.contains("finding"), "\(deletion.summary)")
        let shown = try await shell.type("show \"inspection-\(Self.two)\"")
        #expect(!shown.contains("Dust"), "\(shown)")
        let list = try await shell.type("list")
        #expect(list.components(separatedBy: "  1\n").count == 2, "\(list)")
    }

    /// An id that several kinds have is asked about, and a beginning ends where its bytes do.
    @Test func theFinderTakesTheIDThatIsTyped() async throws {
        let shell = try Shell()
        try add(inspection("x-\(Self.one)"), inspection("shared"), to: shell)
        try shell.field.sites.add(
            Site(id: "shared", name: "Shared", address: Address(), district: Self.hill), by: Self.author)
        let finder = RecordFinder(session: shell.session)
        #expect(throws: NotFoundError.self) { try finder.find("x-\(Self.two)", among: [.inspection]) }
        #expect(try finder.find("x-r", among: [.inspection]).id.isExactly("x-\(Self.one)"))
        #expect(try finder.find("shared", among: [.inspection]).kind == .inspection)
        #expect(throws: UsageError.self) { try finder.find("shared", among: RecordKind.allCases) }
    }

    @Test func theOutboxTakesTheIDThatIsTyped() async throws {
        let shell = try Shell()
        for id in ["site-\(Self.one)", "site-\(Self.two)"] {
            try shell.field.sites.add(
                Site(id: id, name: "Site", address: Address(), district: Self.hill), by: Self.author)
            try shell.refuse(.site, id, "no")
        }
        let transcript = try await shell.type("outbox discard \"site-\(Self.two)\"", "y")
        #expect(transcript.contains("Nothing of it is left."), "\(transcript)")
        #expect(try shell.field.sites.find("site-\(Self.one)") != nil)
        #expect(try shell.field.sites.find("site-\(Self.two)") == nil)
    }

    // MARK: Questions

    private func form(in shell: Shell) throws -> FormDefinition {
        let questions: [JSONValue] = [Self.one, Self.two].map { name in
            ["name": .string(name), "label": .string("Label \(name)"), "kind": "text"]
        }
        let object: JSONObject = [
            "type": "form", "schema": 1, "name": "Look-alikes", "version": 1, "fields": .array(questions),
        ]
        try shell.field.collection(of: .form).save(document: MutableDocument(id: "form-look", json: "\(object)"))
        return try #require(try shell.field.forms.find("form-look"))
    }

    @Test func everyQuestionIsAsked() async throws {
        let shell = try Shell()
        _ = try form(in: shell)
        let transcript = try await shell.type(
            "new inspection mill form=look", "", "", "one", "two", ".", "", "edit 1 \(Self.two)=new",
            "show 1")
        let draft = try #require(try shell.field.inspections.all().records.first)
        #expect(draft.answers[Self.one] == "one", "\(transcript)")
        #expect(draft.answers[Self.two] == "new", "\(transcript)")
        let again = try Shell()
        _ = try form(in: again)
        let skipped = try await again.type("new inspection mill form=look \(Self.one)=given", "", "", "asked", ".", "")
        let other = try #require(try again.field.inspections.all().records.first)
        #expect(other.answers[Self.one] == "given" && other.answers[Self.two] == "asked", "\(skipped)")
    }

    @Test func aChoiceIsTheOneWithItsBytesOrTheOnlyOne() {
        let choices = [Self.one, Self.two, "Café"]
        #expect(ChoiceMatch.index(of: Self.one, among: choices) == 0)
        #expect(ChoiceMatch.index(of: Self.two, among: choices) == 1)
        // As a keyboard may type it that makes the other form.
        #expect(ChoiceMatch.index(of: "cafe\u{301}", among: choices) == 2)
        #expect(ChoiceMatch.index(of: "R\u{C9}", among: choices) == nil)
    }

    /// An accent at the beginning of a value does not hide the sign before it.
    @Test func aValueBeginsBehindItsSign() {
        #expect(FieldValue(parsing: "notes=\u{301}x").map { Name($0.text) } == Name("\u{301}x"))
        #expect(FieldValue(parsing: "\(Self.two)=1").map { Name($0.field) } == Name(Self.two))
        for text in ["=x", "\u{301}=x", "a b=x", "x"] { #expect(FieldValue(parsing: text) == nil, "\(text)") }
    }

    @Test func filesAreCompletedByTheirBytes() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["\(Self.one).jpg", "\(Self.two).jpg", "a \u{301}b"] {
            try Data().write(to: folder.appendingPathComponent(name))
        }
        let completer = Completer(folder: folder.path)
        func found(_ beginning: String) -> [Name] {
            completer.completions(of: beginning, behind: "attach 1 \(beginning)").map { Name($0) }
        }
        #expect(found(Self.one) == [Name("\(Self.one).jpg")])
        #expect(found(Self.two) == [Name("\(Self.two).jpg")])
        #expect(found("a") == [Name("a \u{301}b")])
    }
}
