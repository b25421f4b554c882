import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// What becomes of a line at the prompt.
@Suite struct ShellLineTests {
    @Test func theProgramsNameIsAcceptedAndNotShown() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("fieldbook sites mill", "sync", "fieldbook init")
        #expect(transcript.contains("Old mill"))
        #expect(transcript.contains("No user has signed in yet. Sign in with: login"))
        #expect(transcript.contains("'init' is not for the shell: leave it and type fieldbook init."))
    }

    /// Lines that were written before the question was known agree to nothing.
    @Test(arguments: [("", true), (" --yes", false)]) func aPipeAgreesToNothing(option: String, isKept: Bool)
        async throws
    {
        let shell = try Shell()
        let piped = ScriptedDialogue(lines: ["delete mill\(option)", "y", "status"], mayConsent: false)
        shell.use(piped)
        let status = await shell.loop().run()
        #expect(status == 2, "'y' is no command")
        #expect(piped.transcript.contains("Nobody can be asked here: add --yes") == isKept)
        #expect(try shell.field.sites.all().records.contains { $0.name == "Old mill" } == isKept)
    }

    /// A password that a user types instead of a command.
    @Test func aPasswordIsInNoHistory() async throws {
        let shell = try Shell()
        let dialogue = ScriptedDialogue(lines: [
            "sites", "lsit", "login ws://127.0.0.1:1/field mara", "secret", "pass word", "login wss://x mara hunter2 x",
            "status", "lsit",
        ])
        shell.use(dialogue)
        nonisolated(unsafe) var remembered: [String] = []
        _ = await ShellLoop(shell.session) {
            TextRenderer(width: 100, numbersRows: true, clock: shell.session.environment.clock)
        } remember: {
            remembered.append("\($0) \($1)")
        }.run()
        #expect(
            remembered == [
                "sites forever", "lsit session", "login ws://127.0.0.1:1/field mara forever", "status forever",
                "lsit session",
            ])
    }

    @Test func aPasswordInAnAddressIsInNoHistory() async throws {
        let shell = try Shell()
        shell.use(ScriptedDialogue(lines: ["login wss://mara:hunter2@x/field", "", "status"]))
        nonisolated(unsafe) var remembered: [String] = []
        _ = await ShellLoop(shell.session) {
            TextRenderer(width: 100, numbersRows: true, clock: shell.session.environment.clock)
        } remember: {
            remembered.append("\($0) \($1)")
        }.run()
        #expect(remembered == ["status forever"])
    }

    @Test(arguments: [
        (["HOME": "/home/mara"], "/home/mara/.local/share/fieldbook/records"),
        (["HOME": "/home/mara", "XDG_DATA_HOME": "/data"], "/data/fieldbook/records"),
        (["HOME": "/home/mara", "FIELDBOOK_FOLDER": "here"], "here"), ([:], "~/.local/share/fieldbook/records"),
    ])
    func theFolderIsWhereTheVariablesSay(variables: [String: String], path: String) {
        var environment = ShellEnvironment.current
        environment.variables = variables
        #expect(environment.folderPath(nil) == path)
        #expect(environment.folderPath("given") == "given")
    }
}
