import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// A text of the editor that does not fit as an answer is not lost.
@Suite struct RefusedTextTests {
    private static let long = String(repeating: "word ", count: 2_400) + "end"

    private func shell() async throws -> Shell {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --yes")
        return shell
    }

    private func answer(_ lines: [String], texts: [String]) async throws -> (editor: Editor, shell: Shell) {
        let shell = try await shell()
        let editor = Editor(lines, texts: texts)
        shell.use(editor)
        _ = await shell.loop().run()
        return (editor, shell)
    }

    @Test func theEditorOpensItAgain() async throws {
        let (editor, shell) = try await answer(["edit 1", ":edit", ":edit", ""], texts: [Self.long, "short"])
        #expect(editor.opened == ["", Self.long])
        #expect(editor.transcript.contains("What you wrote is in the editor again after: :edit"))
        #expect(editor.kept.isEmpty && editor.held.isEmpty)
        #expect(try shell.field.inspections.all().records.first?.notes == "short")
    }

    @Test(arguments: [".", "\u{3}", "typed instead", ":back"])
    func whoGoesOnWithoutItFindsItInAFile(line: String) async throws {
        let (editor, _) = try await answer(["edit 1", ":edit", line, ""], texts: [Self.long])
        #expect(editor.kept == [Self.long])
        #expect(editor.transcript.contains("What you wrote is in /texts/1"))
        #expect(editor.held.isEmpty)
    }

    /// A user does not want to type many lines again.
    @Test func linesThatDoNotFitAreInTheEditor() async throws {
        let long = String(repeating: "word ", count: 1_300)
        let (editor, shell) = try await answer(
            ["edit 1", long + "\\", long, ":edit", ""], texts: ["short"])
        let lines = long.trimmingSpaces + "\n" + long.trimmingSpaces
        #expect(editor.opened.map(\.lines) == [lines.lines], "\(editor.transcript.prefix(400))")
        #expect(editor.kept.isEmpty && editor.held.isEmpty)
        #expect(try shell.field.inspections.all().records.first?.notes == "short")
    }

    /// A paste of one paragraph has no line break.
    @Test func aLongLineThatDoesNotFitIsInTheEditor() async throws {
        let (editor, shell) = try await answer(["edit 1", Self.long, ":edit", ""], texts: ["short"])
        #expect(editor.transcript.contains("What you wrote is in the editor again after: :edit"))
        #expect(editor.opened == [Self.long])
        #expect(editor.kept.isEmpty && editor.held.isEmpty)
        #expect(try shell.field.inspections.all().records.first?.notes == "short")
    }

    @Test(arguments: [".", "\u{3}", "typed instead", ":back"])
    func whoGoesOnWithoutALongLineFindsItInAFile(line: String) async throws {
        let (editor, _) = try await answer(["edit 1", Self.long, line, ""], texts: [])
        #expect(editor.kept == [Self.long])
        #expect(editor.held.isEmpty)
    }

    /// As in a new inspection, behind its other questions.
    @Test func aFindingThatDoesNotFitIsInAFile() async throws {
        let (editor, shell) = try await answer(["edit 1", "", "", Self.long, ""], texts: [])
        #expect(editor.kept == [Self.long], "\(editor.transcript.suffix(400))")
        #expect(editor.held.isEmpty && shell.field.findings.count == 0)
    }

    /// The colon was no sign, but the beginning of a text that was pasted.
    @Test func linesThatBeginWithAColonAreInTheEditor() async throws {
        let (editor, shell) = try await answer(
            ["edit 1", "Two doors.", ":go notes", ":see below\u{23CE}one\u{23CE}two", ":edit", "."],
            texts: [":see below\none\ntwo"])
        #expect(editor.transcript.contains("There is no ':see below' here."), "\(editor.transcript)")
        #expect(editor.opened == [":see below\none\ntwo"])
        #expect(editor.kept.isEmpty && editor.held.isEmpty)
        #expect(try shell.field.inspections.all().records.first?.notes == ":see below\none\ntwo")
    }

    @Test func linesThatBeginAsAWayToAnotherQuestionAreInAFile() async throws {
        let (editor, _) = try await answer(["edit 1", ":go there\u{23CE}and back", "."], texts: [])
        #expect(editor.kept == [":go there\nand back"] && editor.held.isEmpty, "\(editor.transcript)")
    }

    @Test func whereTheTextIsEmptiedTheAnswerStays() async throws {
        let (editor, shell) = try await answer(
            ["edit 1", "Two doors.", ":go notes", ":edit", "."], texts: [" \n"])
        #expect(editor.transcript.contains("The text is empty; the answer is as it was. To take it away: -"))
        #expect(editor.held.isEmpty)
        #expect(try shell.field.inspections.all().records.first?.notes == "Two doors.")
    }
}

extension String {
    /// Without the spaces at the ends of its lines.
    fileprivate var lines: [String] { split(separator: "\n").map { String($0).trimmingSpaces } }
}

/// A text from the editor that could not be saved is not lost either.
@Suite struct UnsavedTextTests {
    private struct Failure: Error {}

    /// One long paragraph, as most people type it in an editor.
    @Test(arguments: [":edit", ""]) func whatMeetsAnothersChangeIsThere(line: String) async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --yes")
        let editor = Editor(["edit 1", ":edit", line, ""], texts: ["mine", "both"])
        editor.atFirst = {
            var inspection = try #require(try shell.field.inspections.all().records.first)
            inspection.notes = "theirs"
            try shell.field.collection(of: .inspection).save(bodies: [(inspection.id, inspection.object.bytes)])
        }
        shell.use(editor)
        _ = await shell.loop().run()
        #expect(editor.transcript.contains("What you wrote is in the editor again after: :edit"))
        #expect(editor.opened == (line.isEmpty ? [""] : ["", "mine"]))
        #expect(editor.kept == (line.isEmpty ? ["mine"] : []) && editor.held.isEmpty)
        #expect(try shell.field.inspections.all().records.first?.notes == (line.isEmpty ? "theirs" : "both"))
    }

    /// Ctrl-C, or a terminal that is closed, between two lines of a text.
    @Test func linesThatAreToGoOnAreInAFile() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --yes")
        let editor = Editor(["edit 1", "line one\\", "line two\\", "\u{3}"], texts: [])
        shell.use(editor)
        _ = await shell.loop().run()
        #expect(editor.kept == ["line one\nline two"], "\(editor.transcript)")
        #expect(editor.transcript.contains("What you wrote is in /texts/1"))
    }

    /// Ctrl-C is also what people copy with.
    @Test func whatIsOnTheLineIsInAFile() async throws {
        let long = String(repeating: "The hood drips. ", count: 5) + "Soap."
        let cases = [
            (["\(long)\u{3}"], [long]), (["line one\\", "line two\u{3}"], ["line one\nline two"]),
            (["one\u{23CE}two\u{3}"], ["one\ntwo"]), (["typed again\u{3}"], []),
        ]
        for (lines, kept) in cases {
            let shell = try Shell()
            _ = try await shell.type("new inspection mill score=1 --yes")
            let editor = Editor(["edit 1"] + lines, texts: [])
            shell.use(editor)
            _ = await shell.loop().run()
            #expect(editor.kept == kept && editor.held.isEmpty, "\(editor.transcript)")
        }
    }

    /// If the shell is killed at that moment, the next one finds it.
    @Test func itIsHeldUntilTheRecordIsSaved() throws {
        let shell = try Shell()
        let editor = Editor([], texts: [])
        shell.use(editor)
        // Without its name it is no site yet.
        let site = Site(id: "site-new", name: "", address: Address(), district: District("hill") ?? .unknown)
        let draft = RecordDraft(site, in: shell.field.sites, session: shell.session)
        let fields = draft.record.editableFields(form: nil)
        let notes = try #require(fields.first { $0.question.name == "notes" })
        try draft.change(notes, to: GivenAnswer(text: "forty lines", written: try editor.hold("forty lines")))
        #expect(Array(editor.held.values) == ["forty lines"])
        let name = try #require(fields.first { $0.question.name == "name" })
        try draft.change(name, to: GivenAnswer(text: "Old mill"))
        #expect(try shell.field.sites.find("site-new")?.notes == "forty lines")
        #expect(editor.held.isEmpty && editor.kept.isEmpty)
    }

    /// However the record gets to be saved: the next shell would name the file.
    @Test func nothingIsHeldOfARecordThatIsSaved() throws {
        let shell = try Shell()
        let editor = Editor([], texts: [])
        shell.use(editor)
        let site = Site(id: "site-new", name: "", address: Address(), district: District("hill") ?? .unknown)
        let draft = RecordDraft(site, in: shell.field.sites, session: shell.session)
        let notes = try #require(draft.record.editableFields(form: nil).first { $0.question.name == "notes" })
        try draft.change(notes, to: GivenAnswer(text: "forty lines", written: try editor.hold("forty lines")))
        #expect(!draft.isSaved && !draft.isChanged && editor.held.count == 1)
        try draft.change { $0.name = "Old mill" }
        #expect(draft.isSaved && draft.isChanged && editor.held.isEmpty)
    }

    /// Such as a full disk.
    @Test func whatTheDiskDoesNotTakeIsInAFile() throws {
        let shell = try Shell()
        let editor = Editor([], texts: [])
        shell.use(editor)
        let site = try #require(try shell.field.sites.find("site-mill"))
        let notes = try #require(site.editableFields(form: nil).first { $0.question.name == "notes" })
        let draft = RecordDraft(
            site, in: shell.field.sites, session: shell.session, isSaved: true, follow: { _, _ in throw Failure() })
        #expect(throws: Failure.self) {
            try draft.change(notes, to: GivenAnswer(text: "forty lines", written: WrittenText("forty lines")))
        }
        #expect(editor.kept == ["forty lines"])
        #expect(editor.transcript.contains("What you wrote is not saved.\nWhat you wrote is in /texts/1\n"))
        #expect(throws: Failure.self) { try draft.change(notes, to: GivenAnswer(text: "typed")) }
        #expect(editor.transcript.contains("What you typed is not saved: typed\n"))
    }
}

/// Lines that are typed, and what is written each time that the editor opens.
private final class Editor: Dialogue {
    private let script: ScriptedDialogue
    private var texts: ArraySlice<String>
    private(set) var opened: [String] = []
    private(set) var kept: [String] = []
    /// What is on the disk, and is neither in a record nor kept.
    private(set) var held: [URL: String] = [:]
    private var files = 0
    /// What happens while the editor is open for the first time.
    var atFirst: () throws -> Void = {}

    init(_ lines: [String], texts: [String]) {
        script = ScriptedDialogue(lines: lines)
        self.texts = texts[...]
    }

    var transcript: String { script.transcript }
    var isInteractive: Bool { true }
    var completer: Completer {
        get { script.completer }
        set { script.completer = newValue }
    }

    func ask(_ prompt: String) -> Reply { script.ask(prompt) }
    func askSecret(_ prompt: String) -> Reply { script.askSecret(prompt) }
    func show(_ text: String) { script.show(text) }

    func edit(_ text: String) throws(EditorError) -> WrittenText {
        if opened.isEmpty {
            do { try atFirst() } catch { Issue.record(error) }
        }
        opened.append(text)
        return try hold(texts.popFirst() ?? "")
    }

    func hold(_ text: String) throws(EditorError) -> WrittenText {
        files += 1
        let file = URL(fileURLWithPath: "/held/\(files)")
        held[file] = text
        return WrittenText(text, file: file)
    }

    func keep(_ text: WrittenText) throws(EditorError) -> String? {
        kept.append(text.text)
        if let file = text.file { #expect(held.removeValue(forKey: file) != nil) }
        return "/texts/\(kept.count)"
    }

    func discard(_ text: WrittenText) {
        if let file = text.file { #expect(held.removeValue(forKey: file) != nil) }
    }
}
