import DocumentStore
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Ctrl-C and Ctrl-D, wherever they are pressed.
@Suite struct StoppingTests {
    private static let keys = ["\u{3}", "\u{4}"]

    @Test func controlCAtThePromptIsNoCommand() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("\u{3}", "sites mill", "\u{4}", "sites quay")
        #expect(transcript.contains("Old mill"))
        #expect(!transcript.contains("Quay"))
    }

    @Test(arguments: keys) func aFormThatIsLeftAtOnceLeavesNothing(key: String) async throws {
        let shell = try Shell()
        let transcript = try await shell.type("new inspection mill", key, "new site", key, "sites mill")
        #expect(transcript.contains("Stopped. Nothing was saved."))
        // The line after it is a command, and no answer to the next question.
        #expect(transcript.contains("fieldbook> sites mill"))
        #expect(shell.field.inspections.count == 0 && shell.field.sites.count == 2)
    }

    /// A full stop ends the questions: a record that was not begun does not exist, and one that was has no more questions.
    @Test func aFullStopEndsAllQuestions() async throws {
        let shell = try Shell()
        let none = try await shell.type("new inspection mill", ".", "sites mill")
        #expect(none.contains("Stopped. Nothing was saved.\nfieldbook> sites mill"), "\(none)")
        #expect(shell.field.inspections.count == 0)
        let some = try await shell.type("new inspection mill", "", "2", ".", "sites mill")
        #expect(some.contains("Saved draft") && some.contains("fieldbook (1 draft)> sites mill"), "\(some)")
        #expect(try shell.field.inspections.all().records.map(\.visit) == [.complaint])
        #expect(shell.field.findings.count == 0)
    }

    /// The first question of all is which form it is.
    @Test(arguments: ["new inspection mill", "new assignment mill"])
    func aFullStopAtTheFormBeginsNothing(command: String) async throws {
        let shell = try Shell()
        try shell.field.forms.add(
            FormDefinition(id: "form-well", name: "Well", fields: []),
            by: Author(name: nil, moment: Timestamp(secondsSince1970: 0)))
        let transcript = try await shell.type(command, "?", ".", "sites mill")
        #expect(transcript.contains("Stopped. Nothing was changed.\nfieldbook> sites mill"), "\(transcript)")
        #expect(transcript.contains("- takes none, . stops."), "\(transcript)")
        #expect(shell.field.inspections.count == 0 && shell.field.assignments.count == 0)
    }

    @Test(arguments: keys) func answersAreKeptAsADraft(key: String) async throws {
        let shell = try Shell()
        let transcript = try await shell.type("new inspection mill", "", "2", key, "list")
        #expect(try shell.withoutIDs(transcript).contains("Stopped. Your answers so far are kept as draft ID.\n"))
        #expect(try shell.field.inspections.all().records.map(\.visit) == [.complaint])
    }

    /// Such as one that is full.
    @Test func whatADiskHasIsNamedWhenItTakesNoMore() async throws {
        let shell = try Shell()
        let dialogue = ClosingDialogue(["", "2", "4.5"], of: shell.field.database)
        shell.use(dialogue)
        var request = NewRequest(.inspection)
        request.owner = "mill"
        let command = ShellCommand.new(request)
        await #expect(throws: StoreError.self) { try await CommandRunner(shell.session).run(command) }
        #expect(dialogue.transcript.contains("Your answers so far are kept as draft "), "\(dialogue.transcript)")
        let full = StoreError(
            .diskFull, message: "The disk is full.", context: ["path": "/p"], hint: "Free some space.")
        #expect(ErrorText.text(full) == "The disk is full. Free some space.")
    }

    @Test(arguments: keys) func aFindingThatWasTypedIsKept(key: String) async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill", "", "", "", "", "", "", "", "No soap", key)
        #expect(try shell.field.findings.all().records.map(\.text) == ["No soap"])
        #expect(shell.field.inspections.count == 1)
    }

    @Test(arguments: keys) func aQuestionBeforeDeletingIsNotAnswered(key: String) async throws {
        let shell = try Shell()
        let transcript = try await shell.type("delete mill", key, "edit quay", "1", key)
        #expect(transcript.contains("Stopped. Nothing was changed."))
        #expect(shell.field.sites.count == 2)
        #expect(try shell.field.sites.find("site-quay")?.name == "Quay café")
    }
}

/// Closes the database when the last line is typed.
private final class ClosingDialogue: Dialogue {
    private let script: ScriptedDialogue
    private let database: Database
    private var left: Int

    init(_ lines: [String], of database: Database) {
        script = ScriptedDialogue(lines: lines)
        self.database = database
        left = lines.count
    }

    var transcript: String { script.transcript }
    var isInteractive: Bool { true }
    var completer = Completer()

    func ask(_ prompt: String) -> Reply {
        left -= 1
        if left == 0 {
            do { try database.close() } catch { Issue.record(error) }
        }
        return script.ask(prompt)
    }

    func askSecret(_ prompt: String) -> Reply { script.askSecret(prompt) }
    func show(_ text: String) { script.show(text) }
}
