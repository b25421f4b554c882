import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormEntry
import FormLogic
import Foundation
import Testing

@testable import FieldShell

/// Forms that are filled and tried in the shell.
@Suite struct FormFillingTests {
    private static func sample(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("sample-data/forms/\(name).yaml").path
    }

    /// A shell with the form of kitchens, and a setting for filling it.
    private func kitchen() async throws -> (shell: Shell, setting: FormSetting) {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("form import \(Self.sample("kitchen_hygiene"))")
        return (shell, try shell.session.formSetting(language: nil))
    }

    private func fill(_ record: FormSession, in shell: Shell, lines: String...) throws -> (end: String, screen: String)
    {
        let dialogue = ScriptedDialogue(lines: lines)
        shell.use(dialogue)
        let end = try FormFilling(session: shell.session).run(record)
        return (end, dialogue.transcript)
    }

    @Test func aDraftIsKeptAndGoneOnWith() async throws {
        let (shell, setting) = try await kitchen()
        let loaded = try FormLibrary(in: shell.field).load("kitchen_hygiene")
        let record = try FormSession.begin(loaded, in: shell.field, setting: setting)
        let (end, screen) = try fill(record, in: shell, lines: "Old mill", "", "2", "1")
        #expect(screen.hasPrefix("Kitchen hygiene · question 1 of 8 "))
        #expect(end.hasPrefix("Kept as draft: Old mill 2026-03-04. Go on: fill "))
        let draft = try #require(try shell.field.responses.find(record.response.id))
        #expect(draft.answers["site_name"] == .string("Old mill"))
        #expect(draft.state == .draft)

        let again = try FormSession.open(draft.id, in: shell.field, setting: setting)
        let (last, rest) = try fill(again, in: shell, lines: "1", "1", "", "", ":done")
        #expect(rest.contains("  Surfaces  *\n"))
        let short = RecordReference.short(draft.id, kind: .response)
        #expect(last == "Finalised \(short): Old mill 2026-03-04.")
        #expect(try shell.field.responses.find(draft.id)?.state == .final)
    }

    @Test func openQuestionsAndRemarksAreKeptWithTheDraft() async throws {
        let (shell, setting) = try await kitchen()
        let loaded = try FormLibrary(in: shell.field).load("kitchen_hygiene")
        let record = try FormSession.begin(loaded, in: shell.field, setting: setting)
        _ = try fill(record, in: shell, lines: ":note the sign was gone", ":skip", "", "2", ":quit")
        let again = try FormSession.open(record.response.id, in: shell.field, setting: setting)
        let (_, screen) = try fill(again, in: shell, lines: ":all", ":quit")
        #expect(screen.contains("question 4 of 8 (1 open)"))
        #expect(screen.contains("  1 Name of the kitchen: –  (open)  (remark)\n"))
    }

    @Test func aFinalRecordIsTakenBackOnlyAfterAQuestion() async throws {
        let (shell, setting) = try await kitchen()
        let loaded = try FormLibrary(in: shell.field).load("kitchen_hygiene")
        let record = try FormSession.begin(loaded, in: shell.field, setting: setting)
        let (end, _) = try fill(record, in: shell, lines: "Old mill", "", "2", "1", "1", "1", "", "", ":done")
        let id = record.response.id
        #expect(end == "Finalised \(RecordReference.short(id, kind: .response)): Old mill 2026-03-04.")

        let again = try FormSession.open(id, in: shell.field, setting: setting)
        let (kept, screen) = try fill(again, in: shell, lines: "")
        #expect(kept == "Left as it is: Old mill 2026-03-04.")
        #expect(screen.contains("This record is final and goes with the next sync.\nTake it back to a draft"))
        #expect(try shell.field.responses.find(id)?.state == .final)

        let changed = try FormSession.open(id, in: shell.field, setting: setting)
        let (draft, taken) = try fill(changed, in: shell, lines: "y", ":quit")
        #expect(taken.contains("It is a draft again, and goes with no sync until :done finalises it."))
        #expect(draft.hasPrefix("Kept as draft: Old mill 2026-03-04."))
        #expect(try shell.field.responses.find(id)?.state == .draft)
    }

    @Test func aDraftOfTheFormIsOfferedBeforeAnotherIsBegun() async throws {
        let (shell, _) = try await kitchen()
        _ = try await shell.type("fill kitchen_hygiene", "Old mill", ":quit")
        #expect(try shell.field.responses.all().records.count == 1)
        // Enter goes on with it, at the question behind the last answer.
        let text = try await shell.type("fill kitchen_hygiene", "", ":all", ":quit")
        #expect(text.contains("A draft of this form from "), "\(text)")
        #expect(text.contains("1 Name of the kitchen: Old mill"), "\(text)")
        #expect(try shell.field.responses.all().records.count == 1)
        // Another one that is left without an answer is not kept.
        let other = try await shell.type("fill kitchen_hygiene", "n", ":quit")
        #expect(other.contains("Nothing was answered, and nothing is kept."), "\(other)")
        #expect(try shell.field.responses.all().records.count == 1)
    }

    @Test func aRecordWithoutADistrictIsWarnedAbout() async throws {
        let (shell, _) = try await kitchen()
        let author = try shell.session.author()
        let quay = try #require(District("quay"))
        try shell.field.sites.add(
            Site(id: "site-boat", name: "Boat", address: Address(), district: quay),
            by: Author(name: nil, moment: author.moment))
        let warning = "This record has no site, and its district is unknown: a gateway refuses it."
        // No gateway is to take it yet.
        #expect(try await !shell.type("fill kitchen_hygiene", ":quit").contains(warning))
        var settings = FolderSettings()
        settings.user = "mara"
        settings.gateway = URL(string: "wss://gateway.example/field")
        try settings.save(in: shell.session.folder)
        let text = try await shell.type("fill kitchen_hygiene", "Old mill", "", "2", "1", "1", "1", "", "", ":done")
            .replacing("\n", with: " ")
        #expect(text.contains("\(warning) Name its site: leave it with :quit, and fill kitchen_hygiene --site SITE"))
        let response = try #require(try shell.field.responses.all().records.first)
        let short = RecordReference.short(response.id, kind: .response)
        #expect(response.state == .final)
        #expect(text.contains("\(warning) Name its site: edit \(short) site=SITE, or its district: edit \(short)"))
        #expect(try await !shell.type("fill kitchen_hygiene --site Boat", ":quit").contains(warning))
    }

    @Test func begunFormsAreInTheWorkOfTheDay() async throws {
        let (shell, _) = try await kitchen()
        #expect(try await !shell.type("today").contains("Begun forms"))
        _ = try await shell.type("fill kitchen_hygiene", "Old mill", ":quit")
        let response = try #require(try shell.field.responses.all().records.first)
        let short = RecordReference.short(response.id, kind: .response)
        let text = try await shell.type("today")
        #expect(text.contains("Begun forms"), "\(text)")
        #expect(text.contains("\(short)  11:15 today  Old mill 2026-03-04  kitchen_hygiene"), "\(text)")
        #expect(text.contains("Go on with a form: fill NUMBER"), "\(text)")
        #expect(try TodaysLine(session: shell.session).text()?.contains("1 begun form") == true)
        #expect(try await shell.type("status").contains("Filled forms: 1 begun: list responses status=draft"))
        // The row's number goes on with it.
        #expect(try await shell.type("today", "fill 1", ":all", ":quit").contains("1 Name of the kitchen: Old mill"))
        // Those of others are not the user's work.
        try shell.signIn("ines")
        #expect(try await !shell.type("today").contains("Begun forms"))
    }

    @Test func aFilledFormIsShownWithItsLabelsAndRemarks() async throws {
        let (shell, _) = try await kitchen()
        _ = try await shell.type("fill kitchen_hygiene", "Old mill", "", ":note by torchlight", "2", "1", ":quit")
        let response = try #require(try shell.field.responses.all().records.first)
        let text = try await shell.type("show \(response.id)")
        for part in ["What was inspected?: Preparation", "remark: by torchlight", "Hand washing: In order"] {
            #expect(text.contains(part), "\(text)")
        }
        let german = try await shell.type("show \(response.id) --lang de")
        #expect(german.contains("Händewaschen: In Ordnung"), "\(german)")
    }

    @Test func statusCountsAFormOnceWhateverVersionsItHas() async throws {
        let (shell, _) = try await kitchen()
        // The shell has an older form besides.
        let counts = try StatusCommand(session: shell.session).run().counts
        #expect(counts.first { $0.kind == .form }?.count == 2)
    }

    @Test func thePicturesOfAFilledFormAreListed() async throws {
        let (shell, setting) = try await kitchen()
        let loaded = try FormLibrary(in: shell.field).load("kitchen_hygiene")
        let record = try FormSession.begin(loaded, in: shell.field, setting: setting)
        let picture = shell.root.appendingPathComponent("door.jpg")
        try Data([0xFF, 0xD8, 0xFF, 0xE0, 0x00]).write(to: picture)
        let file = try record.attach(path: picture.path, for: .plain(.image), in: record.state)
        var response = record.response
        response.answers["photo"] = Answer.file(file).json
        let stored = try shell.field.responses.add(response, by: setting.author)
        let text = try await shell.type("photo list \(stored.id)")
        #expect(text.contains("1 photo of response ") && text.contains("door.jpg"), "\(text)")
    }

    @Test func linesOfAnOpenQuestionAreKeptWithTheDraft() async throws {
        let (shell, setting) = try await kitchen()
        let loaded = try FormLibrary(in: shell.field).load("kitchen_hygiene")
        let record = try FormSession.begin(loaded, in: shell.field, setting: setting)
        let node = try #require(record.state.record.children(of: Record.root).first)
        try record.save(record.state, marks: FormMarks(begun: [node: "one\ntwo"]))
        let again = try FormSession.open(record.response.id, in: shell.field, setting: setting)
        #expect(Array(again.marks.begun.values) == ["one\ntwo"])
    }

    @Test func aFormIsTriedFromItsFile() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let text = try await shell.type("form try \(Self.sample("water_point"))", "n", ":quit")
        #expect(text.contains("  Region  *\n    1 North\n    2 South\n  > n\n    1 North\n  District  *\n"))
        #expect(text.contains("Nothing of this is kept: the form was only tried."))
        #expect(try shell.field.responses.all().records.isEmpty)
    }

    @Test func aFormWithErrorsIsNotTried() async throws {
        let shell = try Shell()
        let file = shell.root.appendingPathComponent("bad.yaml")
        try Data("form: bad\nversion: 1\nquestions:\n  - txt a: A\n".utf8).write(to: file)
        let text = try await shell.type("form try \(file.path)")
        #expect(text.contains("The form has errors. See all of them: form check"))
    }
}
