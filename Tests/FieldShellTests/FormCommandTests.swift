import DocumentValues
import FieldForms
import FormExchange
import FormLogic
import Foundation
import Testing

@testable import FieldShell

/// The command `form`.
@Suite struct FormCommandTests {
    private static let yaml = """
        form: water_point
        version: 7
        title: {en: Water point, fr: Point d'eau}
        languages: {en: English, fr: Français}
        lists:
          kind: {well: {en: Well, fr: Puits}, spring: {en: Spring, fr: Source}}
        questions:
          - today visited
          - text village: {en: Village, fr: Village}
            required: yes
          - repeat point: {en: Water point, fr: Point d'eau}
            questions:
              - select_one kind source: {en: Kind, fr: Type}
              - decimal depth: {en: Depth (m), fr: Profondeur (m)}
                relevant: ${source} = 'well'
                constraint: . > 0

        """

    private func write(_ text: String, to name: String, shell: Shell) throws -> String {
        let file = shell.root.appendingPathComponent(name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    private func objects(_ transcript: String) throws -> [JSONObject] {
        try transcript.split(atByte: "\n").filter { $0.hasPrefix("{") }.map { try JSONObject(parsing: Array($0.utf8)) }
    }

    @Test func aFormIsTakenInShownAndListed() async throws {
        let shell = try Shell()
        let file = try write(Self.yaml, to: "water.yaml", shell: shell)
        let done = try await shell.type("form import \(file)", width: 200)
        #expect(done.contains("Took in water_point, version 7, with 3 questions."), "\(done)")
        let again = try await shell.type("form import \(file)", width: 200)
        #expect(again.contains("is here already, with the same content"), "\(again)")
        let list = try await shell.type("form list", width: 200)
        #expect(list.contains("water_point") && list.contains("Water point") && list.contains("kitchen"), "\(list)")
        let shown = try await shell.type("form show water", width: 200)
        for part in [
            "Water point", "2  village: Village, text, required", "3.2  depth: Depth (m), decimal",
            "asked if: ${source} = 'well'", "must hold: . > 0", "kind (2): well Well; spring Spring",
            "English (en), Français (fr)",
        ] {
            #expect(shown.contains(part), "\(part) is missing in \(shown)")
        }
    }

    @Test func programsGetObjects() async throws {
        let shell = try Shell()
        let file = try write(Self.yaml, to: "water.yaml", shell: shell)
        let imported = try #require(try objects(await shell.type("form import \(file) --json")).first)
        #expect(imported["form"] == "water_point" && imported["version"] == "7" && imported["questions"] == 3)
        #expect(imported["warnings"]?.arrayValue?.isEmpty == true && imported["errors"] == nil)
        let listed = try objects(await shell.type("form list --json"))
        #expect(listed.compactMap { $0["form"]?.stringValue } == ["form-kitchen", "water_point"])
        #expect(listed.last?["versions"] == ["7"] && listed.last?["state"] == "open")
        let shown = try #require(try objects(await shell.type("form show water_point@7 --json")).first)
        #expect(shown["nodes"]?.arrayValue?.count == 3 && shown["current"] == "7")
    }

    @Test func aFormWithErrorsIsNotTakenIn() async throws {
        let shell = try Shell()
        let wrong = Self.yaml.replacing("${source} =", with: "${sauce} =").replacing(
            "text village", with: "txt village")
        let file = try write(wrong, to: "water.yaml", shell: shell)
        let output = try FormImporting(session: shell.session).run(FormFileRequest(path: file))
        #expect(output.exitStatus == 1)
        let errors = try #require(output.objects.first?["errors"]?.arrayValue)
        #expect(errors.count >= 1 && errors.allSatisfy { $0["message"] != nil && $0["row"] != nil })
        #expect(output.lines.contains("Nothing was taken in."))
        #expect(try FormLibrary(in: shell.field).names() == ["form-kitchen"])
    }

    @Test func aFormWithoutAVersionIsGivenOne() async throws {
        let shell = try Shell()
        let file = try write(Self.yaml.replacing("version: 7\n", with: ""), to: "water.yaml", shell: shell)
        var request = FormFileRequest(path: file)
        let refused = try FormImporting(session: shell.session).run(request)
        #expect(refused.exitStatus == 1 && refused.lines.contains { $0.contains("--version 2026030401") })
        request.version = "2026030401"
        #expect(try FormImporting(session: shell.session).run(request).exitStatus == 0)
    }

    @Test func otherQuestionsUnderOneVersionAreRefused() async throws {
        let shell = try Shell()
        let file = try write(Self.yaml, to: "water.yaml", shell: shell)
        _ = try FormImporting(session: shell.session).run(FormFileRequest(path: file))
        _ = try write(Self.yaml.replacing("Village, fr", with: "Place, fr"), to: "water.yaml", shell: shell)
        let output = try FormImporting(session: shell.session).run(FormFileRequest(path: file))
        #expect(output.exitStatus == 1)
        #expect(
            output.lines.contains { $0.contains("version 7 of water_point exists with other questions") },
            "\(output.lines)")
    }

    @Test func aTrialTakesNothingIn() async throws {
        let shell = try Shell()
        var request = FormFileRequest(path: try write(Self.yaml, to: "water.yaml", shell: shell))
        request.isTrial = true
        #expect(try FormImporting(session: shell.session).run(request).exitStatus == 0)
        #expect(try FormLibrary(in: shell.field).names() == ["form-kitchen"])
    }

    // MARK: Checking

    private func check(_ paths: String...) -> FormOutput { FormChecking(request: FormFileRequest(path: "")).run(paths) }

    @Test func aCheckNamesLineAndColumn() throws {
        let shell = try Shell()
        let right = try write(Self.yaml, to: "water.yaml", shell: shell)
        let wrong = try write(Self.yaml.replacing("${source} =", with: "${sauce} ="), to: "wrong.yaml", shell: shell)
        #expect(check(right).lines == ["1 file read, no errors, no warnings."])
        #expect(check(right).exitStatus == 0)
        let output = check(right, wrong)
        #expect(output.exitStatus == 1 && output.lines.last == "2 files read, 1 error, no warnings.")
        #expect(output.lines.first?.contains("wrong.yaml:15:") == true, "\(output.lines)")
        #expect(output.lines.first?.contains("F110") == true && output.objects.count == 2)
    }

    @Test func aCheckNamesSheetRowAndColumn() throws {
        let shell = try Shell()
        let sheet = Sheet(
            name: "survey",
            rows: [
                SheetRow(number: 1, texts: ["type", "name", "label", "relevant"]),
                SheetRow(number: 2, texts: ["text", "who", "Name", "${whom} = 'a'"]),
            ])
        let file = shell.root.appendingPathComponent("b.xlsx")
        try Data(XLSXWriter.write([sheet], file: "b")).write(to: file)
        let output = check(file.path)
        let error = try #require(output.objects.first?["errors"]?.arrayValue?.first)
        #expect(error["sheet"] == "survey" && error["row"] == 2 && error["column"] == "relevant")
        #expect(error["cell"] == "D2" && error["code"] == "F110")
    }

    @Test(arguments: ["missing.yaml", "cut.xlsx", "entities.xml"]) func whatCannotBeReadIsStatusTwo(name: String) throws
    {
        let shell = try Shell()
        let entities = "<?xml version=\"1.0\"?><!DOCTYPE h [<!ENTITY a \"b\">]><h>&a;</h>"
        if name != "missing.yaml" { _ = try write(name == "cut.xlsx" ? "PK" : entities, to: name, shell: shell) }
        let output = check(shell.root.appendingPathComponent(name).path)
        #expect(output.exitStatus == 2)
        #expect(output.objects.first?["errors"]?.arrayValue?.first?["message"] != nil)
    }

    @Test func aCheckNeedsNoFolder() async throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("check-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let file = root.appendingPathComponent("water.yaml")
        try Self.yaml.write(to: file, atomically: true, encoding: .utf8)
        let session = ShellSession(
            folder: root.appendingPathComponent("none").path, environment: .current,
            dialogue: SilentDialogue { _ in }, meter: NoProgressMeter())
        let parsed = try CommandParser.parse(tokens: ["form", "check", file.path], in: .oneShot)
        let result = try await CommandRunner(session).run(parsed.command)
        #expect(result.exitStatus == 0 && !session.isOpen)
    }

    // MARK: Writing

    @Test(arguments: ["yaml", "csv", "xml", "xlsx"]) func anExportIsReadAsTheSameForm(format: String) async throws {
        let shell = try Shell()
        let file = try write(Self.yaml, to: "water.yaml", shell: shell)
        _ = try await shell.type("form import \(file)")
        let path = shell.root.appendingPathComponent("out.\(format)").path
        let done = try await shell.type("form export water --format \(format) --output \(path)", width: 300)
        #expect(done.contains("Wrote water_point@7 to"), "\(done)")
        let source = try FormSource.read(path)
        #expect(!source.findings.hasErrors)
        #expect(source.form.id == "water_point" && source.form.version == "7")
        #expect(source.form.nodes.map(\.name) == ["visited", "village", "point"])
        let again = try await shell.type("form export water --format \(format) --output \(path)", width: 300)
        #expect(again.contains("is there already"), "\(again)")
    }

    @Test func aFormIsShownAsItsAuthorWroteIt() async throws {
        let shell = try Shell()
        _ = try await shell.type("form import \(write(Self.yaml, to: "water.yaml", shell: shell))")
        let session = shell.session
        guard case .form(let output) = try FormCommand(session: session).run(.show(form: "water_point", asYAML: true))
        else { throw UsageError("It is shown in another way.") }
        let shown = output.lines.joined(separator: "\n") + "\n"
        let kept = try FormLibrary(in: shell.field).load("water_point")
        #expect(FormYAML.read(shown).form.digest.isExactly(kept.digest) && output.exitStatus == 0)
        #expect(try CommandParser.parse(line: "form show a --yaml")?.command == .form(.show(form: "a", asYAML: true)))
    }

    @Test func aTextIsShownAndAWorkbookIsNot() async throws {
        let shell = try Shell()
        _ = try await shell.type("form import \(write(Self.yaml, to: "water.yaml", shell: shell))")
        let shown = try await shell.type("form export water_point --format yaml", width: 200)
        #expect(shown.contains("form: water_point"), "\(shown)")
        let refused = try await shell.type("form export water_point --format xlsx", width: 200)
        #expect(refused.contains("--output FILE.xlsx"), "\(refused)")
        let unnamed = try await shell.type("form export water_point", width: 200)
        #expect(unnamed.contains("Say the format"), "\(unnamed)")
    }

    // MARK: Other commands

    @Test func listsAndDetailsKnowTheForm() async throws {
        let shell = try Shell()
        _ = try await shell.type("form import \(write(Self.yaml, to: "water.yaml", shell: shell))")
        let list = try await shell.type("list forms", width: 200)
        #expect(
            list.contains("water_point") && list.contains("kitchen") && !list.contains("cannot be shown"), "\(list)")
        let detail = try await shell.type("show water_point", width: 200)
        #expect(detail.contains("depth: Depth (m), decimal"), "\(detail)")
        let version = try await shell.type("show water_point@7", width: 200)
        #expect(version.contains("depth: Depth (m), decimal"), "\(version)")
        let wrong = try await shell.type("new inspection mill form=water_point score=1", width: 200)
        #expect(wrong.contains("fill water_point"), "\(wrong)")
        // The form of inspections is still the only one of them.
        let inspection = try await shell.type("new inspection mill fridge=4 score=88 --yes", width: 200)
        #expect(!inspection.contains("several forms"), "\(inspection)")
    }

    @Test func linesAreParsed() throws {
        func command(_ text: String) throws -> ShellCommand? { try CommandParser.parse(line: text)?.command }
        #expect(try command("form list") == .form(.list))
        #expect(try command("form show a@1") == .form(.show(form: "a@1")))
        #expect(
            try command("form export a --format xls --output b")
                == .form(.export(FormExportRequest(form: "a", format: .xlsx, output: "b"))))
        var request = FormFileRequest(path: "a.xlsx")
        (request.version, request.formID, request.skipsUnsupported) = ("2", "b", true)
        #expect(
            try command("form import a.xlsx --version 2 --name b --skip-unsupported") == .form(.importFile(request)))
        for wrong in ["form", "form list a", "form show", "form export a", "form import", "form nothing a"] {
            #expect(throws: UsageError.self, "\(wrong)") { try command(wrong) }
        }
    }
}
