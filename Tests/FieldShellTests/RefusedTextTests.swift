import FieldModels
import FieldRecords
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
        #expect(editor.kept.isEmpty)
        #expect(try shell.field.inspections.all().records.first?.notes == "short")
    }

    @Test(arguments: [".", "\u{3}", "typed instead", ":back"])
    func whoGoesOnWithoutItFindsItInAFile(line: String) async throws {
        let (editor, _) = try await answer(["edit 1", ":edit", line, ""], texts: [Self.long])
        #expect(editor.kept == [Self.long])
        #expect(editor.transcript.contains("What you wrote is in /texts/1"))
    }
}

/// Lines that are typed, and what is written each time that the editor opens.
private final class Editor: Dialogue {
    private let script: ScriptedDialogue
    private var texts: ArraySlice<String>
    private(set) var opened: [String] = []
    private(set) var kept: [String] = []

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

    func edit(_ text: String) throws(EditorError) -> String {
        opened.append(text)
        return texts.popFirst() ?? ""
    }

    func keep(_ text: String) throws(EditorError) -> String? {
        kept.append(text)
        return "/texts/\(kept.count)"
    }
}
