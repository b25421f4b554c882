import DocumentValues
import FieldRecords
import FormEntry
import FormExchange
import FormLogic
import Foundation
import Testing

@testable import FieldShell

/// A conversation about a form on a screen.
@Suite struct FormDriverTests {
    /// Keeps what is saved in memory.
    private final class Memory: FormKeeping {
        let state: FormState
        let marks = FormMarks()
        let savedAt: Int64? = nil
        let isTrial = false
        var saved: [JSONObject] = []
        var attached: [String] = []
        var fault: UsageError?
        var finalised = 0

        init(_ state: FormState) { self.state = state }

        func save(_ state: FormState, marks: FormMarks) throws {
            if let fault { throw fault }
            saved.append(state.record.answers())
        }

        func attach(path: String, to node: Record.ID, in state: FormState) throws -> AnsweredFile {
            guard path.hasSuffix(".jpg") else { throw UsageError("\(path) is no picture.") }
            attached.append(path)
            return AnsweredFile(name: Name(path))
        }

        func finalise(_ state: FormState, marks: FormMarks, droppingSurplus: Bool) throws -> String {
            finalised += 1
            return "The record"
        }

        func open(_ file: OpenedFile) throws -> String? { throw UsageError("Nothing here shows it.") }
    }

    /// 2026-03-04, 14:45 in a zone an hour ahead.
    private static let now: Int64 = 1_772_631_930_500
    private static let questions = """
        form: shed
        version: 1
        title: {en: Shed, fr: Remise}
        languages: {en: English, fr: Français}
        lists: {state: {good: {en: Good, fr: Bon}, bad: {en: Bad, fr: Mauvais}}}
        questions:
          - text name: {en: Name of the shed, fr: Nom}
            hint: {en: As it is painted on its door, fr: Comme sur la porte}
            required: yes
          - select_one state roof: {en: Roof, fr: Toit}
            required: yes
          - text story: {en: What happened?, fr: Histoire}
            appearance: multiline
          - image photo: {en: Picture, fr: Photo}
        """

    private func memory(_ yaml: String = questions) throws -> (form: Form, memory: Memory) {
        let form = FormYAML.read(yaml).form
        let program = FormProgram(form)
        #expect(program.problems.isEmpty)
        let evaluator = FormEvaluator(
            program: program, record: Record(program.outline),
            instances: FormInstances(lists: form.lists, language: "en", fallback: "en"),
            state: FunctionState(
                conversions: Conversions(zone: FixedFormZone(seconds: 3_600)), now: Self.now, language: "en",
                random: FormRandom(seed: 1)))
        return (form, Memory(FormState.new(evaluator: evaluator, graph: FormGraph(program)).state))
    }

    private func run(_ dialogue: any Dialogue, form: Form, memory: Memory) throws -> Leaving {
        let conversation = FormConversation(
            form: form, state: memory.state, zone: FixedFormZone(seconds: 3_600), now: Self.now)
        return try FormDriver(dialogue: dialogue, keeper: memory, now: { Self.now }).run(conversation)
            .leaving
    }

    private func talk(_ lines: String..., columns: Int = 80) throws -> (text: String, memory: Memory, leaving: Leaving)
    {
        let (form, memory) = try memory()
        let dialogue = ScriptedDialogue(lines: lines)
        dialogue.columns = columns
        let leaving = try run(dialogue, form: form, memory: memory)
        return (dialogue.transcript, memory, leaving)
    }

    @Test func aFormIsFilled() throws {
        let (text, memory, leaving) = try talk("Old shed", "2", "Rain", "came in", ".", "a.jpg", ":done")
        #expect(
            text == """
                Shed · question 1 of 4                                              [en]  ? help
                  Name of the shed  *
                    As it is painted on its door
                  > Old shed
                  Roof  *
                    1 Good
                    2 Bad
                  > 2
                    2 Bad
                  What happened?   end with a line holding only .
                  > Rain
                  > came in
                  > .
                  Picture
                  > a.jpg
                    a.jpg
                Shed · draft saved 14:45 · 4 questions                              [en]  ? help
                  That was the last question. :done finalises, :quit leaves the draft, < goes back, :all shows the answers.
                  > :done

                """)
        #expect(leaving == .finalised && memory.finalised == 1)
        #expect(memory.saved.last?["story"] == .string("Rain\ncame in"))
        #expect(memory.attached == ["a.jpg"])
    }

    @Test func theHeaderFitsANarrowScreen() throws {
        let text = try talk("Old shed", ":all", ":quit", columns: 40).text
        #expect(text.contains("\nShed · draft saved 14:45\nquestion 2 of 4             [en]  ? help\n"), "\(text)")
    }

    @Test(
        arguments: [
            (85, "Enquête sur les points d'eau · draft saved 23:11 · question 12 of 22 (3 open)", nil),
            (79, "Enquête sur les point… · draft saved 23:11 · question 12 of 22 (3 open)", nil),
            (60, "Enquête sur les points d'eau · draft saved 23:11", "question 12 of 22 (3 open)"),
            (40, "Enquête sur les poi… · draft saved 23:11", "question 12 of 22 (3 open)"),
        ] as [(Int, String, String?)])
    func aLongTitleIsCutBeforeTheHeaderWraps(columns: Int, first: String, second: String?) {
        let title = "Enquête sur les points d'eau · draft saved 23:11 · question 12 of 22 (3 open)"
        let line = ShownLine(.header, text: StyledText(title), trailing: "? help")
        let rows = FormLayout(columns: columns).styled(line).plain.split(separator: "\n").map(String.init)
        #expect(rows.count == (second == nil ? 1 : 2))
        #expect(rows.allSatisfy { $0.displayWidth <= columns && !$0.isEmpty })
        #expect(rows[0].hasPrefix(first), "\(rows)")
        if let second { #expect(rows[1].hasPrefix(second)) }
        #expect(rows.last?.hasSuffix("? help") == true)
    }

    @Test func eachAnswerIsSavedBeforeTheNextIsAsked() throws {
        // Nothing more comes in: as when the terminal is closed.
        let (_, memory, leaving) = try talk("Old shed", "1")
        #expect(leaving == .draft)
        #expect(memory.saved.last?["roof"] == .string("good"))
        #expect(memory.saved.count == 2)
    }

    @Test func theFirstCtrlCDropsTheLineOnly() throws {
        let (text, memory, leaving) = try talk("Old shed", "ba\u{3}", "2", "\u{3}")
        #expect(text.contains("The line was dropped. Ctrl-C again, or :quit, leaves the draft."))
        #expect(leaving == .draft)
        #expect(memory.saved.last?["roof"] == .string("bad"))
    }

    @Test func linesThatWerePastedAreOneText() throws {
        let (_, memory, _) = try talk("Old\u{23CE}shed", "1", "one\u{23CE}two", ".", ":quit")
        #expect(memory.saved.last?["name"] == .string("Old shed"))
        #expect(memory.saved.last?["story"] == .string("one\ntwo"))
    }

    @Test func aFaultOfTheDiskIsShown() throws {
        let (form, memory) = try memory()
        memory.fault = UsageError("The disk is full.")
        let dialogue = ScriptedDialogue(lines: ["Old shed", ":quit", "y"])
        #expect(try run(dialogue, form: form, memory: memory) == .unsaved)
        #expect(dialogue.transcript.contains("Not saved: The disk is full."))
        #expect(dialogue.transcript.contains("Leave without the last answers? y/N > y"))
    }

    @Test func aFileThatIsNotTakenIsAskedAgain() throws {
        let (text, memory, _) = try talk("Old shed", "1", "", "notes.txt", "b.jpg", "<", ":open", ":quit")
        #expect(text.contains("notes.txt is no picture."))
        #expect(text.contains("  [b.jpg] > :open\n  Nothing here shows it.\n"))
        #expect(memory.attached == ["b.jpg"])
        #expect(memory.saved.last?["photo"]?["name"] == .string("b.jpg"))
    }

    @Test func longListsComePageByPage() throws {
        let rows = (1...40).map { "  - integer q\($0): Question \($0)\n" }.joined()
        let (form, memory) = try memory("form: f\nversion: 1\nquestions:\n" + rows)
        // The line typed where the page is to be turned is the next line of the conversation.
        let dialogue = ScriptedDialogue(lines: [":all", ":go 30", ":quit"])
        dialogue.screenHeight = 20
        #expect(try run(dialogue, form: form, memory: memory) == .untouched)
        #expect(dialogue.transcript.contains("Enter: more"))
        #expect(dialogue.transcript.contains("  Question 30\n  > :quit"))
    }

    @Test func theQuestionIsShownAgainAfterAListThatWasStopped() throws {
        let rows = (1...40).map { "  - integer q\($0): Question \($0)\n" }.joined()
        let (form, memory) = try memory("form: f\nversion: 1\nquestions:\n" + rows)
        let dialogue = ScriptedDialogue(lines: [":all", "q", ":quit"])
        dialogue.screenHeight = 20
        #expect(try run(dialogue, form: form, memory: memory) == .untouched)
        #expect(dialogue.transcript.hasSuffix("q\n  Question 1\n  > :quit\n"), "\(dialogue.transcript)")
    }

    @Test func tabCompletesAnswersAndCommands() throws {
        let answers = Completer(answers: ["Good", "Bad"], commands: [":go name", ":go roof", ":all"])
        #expect(answers.completions(of: "", behind: "") == ["Good", "Bad"])
        #expect(answers.completions(of: "ba", behind: "ba") == ["Bad"])
        #expect(answers.completions(of: ":go r", behind: ":go r") == [":go roof"])
        #expect(answers.completesLines)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("form-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appendingPathComponent("my door.jpg"))
        let files = Completer(filesAnd: [":quit"], folder: folder.path)
        #expect(files.completions(of: "my", behind: "my") == ["my door.jpg"])
        #expect(files.completions(of: ":", behind: ":") == [":quit"])
    }

    @Test func theCompleterIsPutBack() throws {
        let (form, memory) = try memory()
        let dialogue = ScriptedDialogue(lines: [":quit"])
        dialogue.completer = Completer(listing: ["abc"])
        _ = try run(dialogue, form: form, memory: memory)
        #expect(dialogue.completer.completions(of: "a", behind: "show a") == ["abc"])
    }
}

/// Styles on a terminal.
@Suite struct StyledLinesTests {
    private static func text() -> StyledText {
        var text = StyledText("  ")
        text.append("one two", style: .bold)
        text.append(" three")
        text.append(" four", style: [.underlined])
        return text
    }

    @Test func stylesAreSequences() {
        #expect(
            StyledLines.text(Self.text(), columns: 80, isPlain: false)
                == "  \u{1B}[0;1mone two\u{1B}[0m three \u{1B}[0;4mfour\u{1B}[0m")
    }

    @Test func theyEndWithTheLine() {
        #expect(
            StyledLines.text(Self.text(), columns: 8, isPlain: false)
                == "  \u{1B}[0;1mone\u{1B}[0m\n  \u{1B}[0;1mtwo\u{1B}[0m\n  three\n  \u{1B}[0;4mfour\u{1B}[0m")
    }

    @Test func aPlainScreenHasNone() {
        #expect(StyledLines.text(Self.text(), columns: 80, isPlain: true) == "  one two three four")
        #expect(StyledLines.isPlain(kind: "xterm", noColor: "1", isTerminal: true))
        #expect(StyledLines.isPlain(kind: "dumb", noColor: nil, isTerminal: true))
        #expect(StyledLines.isPlain(kind: nil, noColor: nil, isTerminal: true))
        #expect(StyledLines.isPlain(kind: "xterm", noColor: nil, isTerminal: false))
        #expect(!StyledLines.isPlain(kind: "xterm", noColor: "", isTerminal: true))
    }

    @Test func othersTextsMoveNoCursor() {
        let text = StyledLines.text(StyledText("a\u{1B}[2Jb", style: .bold), columns: 80, isPlain: false)
        #expect(text.hasPrefix("\u{1B}[0;1m") && text.hasSuffix("\u{1B}[0m"))
        #expect(!text.contains("\u{1B}[2J"))
    }
}
