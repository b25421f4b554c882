import Foundation
import Glibc
import Testing

/// The shell in a real terminal, as a worker has it.
@Suite(.serialized) struct TerminalTests {
    @Test(.timeLimit(.minutes(2)), arguments: [80, 40])
    func theShellShowsItsPromptAndLeaves(columns: Int) throws {
        let mara = try FieldLaptop()
        #expect(try mara.run("new", "site", "Old mill", "district=hill", "--yes").status == 0)
        let terminal = try mara.terminal(columns: columns)
        try terminal.waitForPrompt("fieldbook")
        try terminal.enter("sites mill")
        try terminal.waitFor("Old mill")
        try terminal.waitForPrompt("fieldbook")
        try terminal.type("no such com")
        try terminal.press(.controlC)
        try terminal.waitForPrompt("fieldbook")
        try terminal.type("qui")
        try terminal.press(.tab)
        try terminal.waitFor("quit")
        try terminal.press(.enter)
        #expect(try terminal.exitStatus() == 0)
        #expect(try terminal.linesBrokenByTheTerminal.isEmpty)
    }

    /// A name of several words is the answer as it is completed.
    @Test(.timeLimit(.minutes(2))) func aSiteIsCompletedAsAnAnswer() throws {
        let mara = try FieldLaptop()
        for name in ["Kestrel Play Yard", "Old mill"] {
            #expect(try mara.run("new", "site", name, "district=hill", "--yes").status == 0)
        }
        let terminal = try mara.terminal()
        try terminal.waitForPrompt("fieldbook")
        try terminal.enter("new inspection")
        try terminal.waitFor("part of its name")
        try terminal.type("kes")
        try terminal.press(.tab)
        try terminal.waitFor("Kestrel Play Yard")
        try terminal.press(.enter)
        try terminal.waitFor("Date")
        #expect(try !terminal.screen.joined().contains("No site"))
    }

    @Test(.timeLimit(.minutes(2))) func aKilledShellIsSeenToBeKilled() throws {
        let mara = try FieldLaptop()
        let terminal = try mara.terminal()
        try terminal.waitForPrompt("fieldbook")
        try terminal.kill()
        #expect(try terminal.exitStatus() == 128 + SIGKILL)
    }

    // MARK: Nothing is destroyed unasked

    @Test func nothingIsDeletedWhereNobodyCanBeAsked() throws {
        let mara = try FieldLaptop()
        #expect(try mara.run("new", "site", "Old mill", "district=hill").status == 0)
        for input in ["n\n", "y\n", ""] {
            let output = try mara.run("delete", "mill", input: input)
            #expect(output.status == 2 && output.err.contains("Nobody can be asked here: add --yes"), "\(output)")
        }
        #expect(try mara.ids("sites").count == 1)
        #expect(try mara.run("delete", "mill", "--yes").status == 0)
        #expect(try mara.ids("sites").isEmpty)
    }

    @Test(.timeLimit(.minutes(2)), arguments: [80, 40]) func deletingNamesWhatGoes(columns: Int) throws {
        let mara = try laptopWithInspection()
        let terminal = try mara.terminal(columns: columns)
        try terminal.waitForPrompt("fieldbook")
        for answer in ["n", "", "y"] {
            try terminal.enter("delete \(try mara.ids("inspections")[0])")
            try terminal.waitFor("with 1 finding? y or n")
            try terminal.enter(answer)
            try terminal.waitFor(answer == "y" ? "Deleted the inspection of Old mill" : "Nothing was deleted.")
        }
        #expect(try mara.ids("inspections").isEmpty)
    }

    // MARK: Every answer is kept

    private func laptopWithInspection() throws -> FieldLaptop {
        let mara = try FieldLaptop()
        #expect(try mara.run("new", "site", "Old mill", "district=hill").status == 0)
        #expect(try mara.run("new", "inspection", "mill", "--finding", "Dust").status == 0)
        return mara
    }

    @Test(.timeLimit(.minutes(2)), arguments: [80, 40]) func aFlatBatteryLosesOneLine(columns: Int) throws {
        let mara = try laptopWithInspection()
        let terminal = try mara.terminal(columns: columns)
        try terminal.waitForPrompt("fieldbook")
        try terminal.enter("list")
        try terminal.waitForPrompt("fieldbook")
        try terminal.enter("edit 1")
        try terminal.waitForPrompt("Score, 0 to 100:")
        try terminal.enter("88")
        try terminal.waitForPrompt("Notes:")
        try terminal.type("half a remark")
        try terminal.kill()
        _ = try terminal.exitStatus()
        let shown = try mara.run("show", try mara.ids("inspections")[0]).out
        #expect(shown.contains("88") && !shown.contains("half a remark"))
        // It goes on where it was left, and Ctrl-C keeps what was answered.
        let again = try mara.terminal("edit", try mara.ids("inspections")[0], columns: columns)
        try again.waitForPrompt("Notes:")
        try again.enter("<")
        try again.waitForPrompt("Score, 0 to 100 [88]:")
        try again.enter("91")
        try again.waitForPrompt("Notes:")
        try again.press(.controlC)
        try again.waitFor("What was answered until now is saved.")
        #expect(try again.exitStatus() == 130)
        #expect(try mara.run("show", try mara.ids("inspections")[0]).out.contains("91"))
    }

    @Test(.timeLimit(.minutes(2))) func aPastedTextIsOneAnswer() throws {
        let mara = try laptopWithInspection()
        let terminal = try mara.terminal("new", "finding", try mara.ids("inspections")[0])
        try terminal.waitForPrompt("What is wrong:")
        try terminal.paste("first line\nsecond line\n3\n")
        try terminal.waitFor("first line⏎second line⏎3")
        try terminal.enter("")
        try terminal.waitForPrompt("Number:")
        try terminal.type("mod")
        try terminal.press(.tab)
        try terminal.waitFor("moderate")
        try terminal.press(.enter)
        try terminal.waitForPrompt("Fixed on:")
        try terminal.enter(".")
        #expect(try terminal.exitStatus() == 0)
        let findings = try mara.run("list", "findings", "--json").events
        #expect(findings.contains { $0["text"] as? String == "first line\nsecond line\n3" })
        #expect(findings.contains { $0["risk"] as? String == "moderate" })
    }

    /// Cameras and messengers give names with spaces and brackets.
    @Test(.timeLimit(.minutes(2)), arguments: ["", "'"]) func aCompletedFileNameIsTheFiles(quote: String) throws {
        let mara = try laptopWithInspection()
        let name = "Mein Foto (1).txt"
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tab-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("text".utf8).write(to: folder.appendingPathComponent(name))
        let terminal = try mara.terminal(columns: 200)
        try terminal.waitForPrompt("fieldbook")
        try terminal.type("attach \(try mara.ids("inspections")[0]) \(quote)\(folder.path)/Mein")
        try terminal.press(.tab)
        try terminal.waitFor(".txt")
        try terminal.press(.enter)
        try terminal.waitFor("Attached \(name)")
    }

    /// The library that edits lines lost count of those that it let go at the top of the screen, and ended the shell.
    @Test(.timeLimit(.minutes(2)), arguments: [850, 2_100]) func aTextLongerThanTheScreenIsEdited(letters: Int) throws {
        let mara = try FieldLaptop()
        let terminal = try mara.terminal(columns: 40, rows: 20)
        try terminal.waitForPrompt("fieldbook")
        let beginning = String(repeating: "Zaehler-", count: letters / 8)
        try terminal.type("find \(beginning)")
        try terminal.waitFor("Zaehler-Zaehler")
        try terminal.press(.home)
        try terminal.press(.end)
        try terminal.type("und noch mehr am Ende der Zeile, bis sie zweimal um ist und weiter geht")
        try terminal.press(.enter)
        // That it is found nowhere takes pages, too.
        try terminal.waitFor("q Enter: stop")
        try terminal.enter("q")
        try terminal.waitForPrompt("fieldbook")
        try terminal.enter("quit")
        #expect(try terminal.exitStatus() == 0)
    }

    /// Whether the shell is killed or its terminal closed, while the question is open again.
    @Test(.timeLimit(.minutes(2)), arguments: [SIGKILL, SIGHUP]) func aTextThatDidNotFitOutlivesTheShell(
        signal: Int32
    ) throws {
        let mara = try laptopWithInspection()
        let script = try mara.file(
            "editor.sh",
            #"""
            #!/bin/sh
            printf 'from the editor ' > "$1"
            head -c 20000 /dev/zero | tr '\0' a >> "$1"
            """#)
        chmod(script, 0o700)
        let terminal = try mara.terminal(
            "new", "finding", try mara.ids("inspections")[0], environment: ["VISUAL": script])
        try terminal.waitForPrompt("What is wrong:")
        try terminal.enter(":edit")
        try terminal.waitFor("What you wrote is in the editor again after: :edit")
        try terminal.waitForPrompt("What is wrong:")
        try terminal.kill(signal)
        #expect(try terminal.exitStatus() == 128 + signal)
        #expect(try unfinishedText(of: mara).hasPrefix("from the editor aaa"))
    }

    private func unfinishedText(of laptop: FieldLaptop) throws -> String {
        let today = try laptop.run("today").out
        let lines = today.split(separator: "\n")
        let line = try #require(lines.firstIndex { $0.hasSuffix("is in no record:") })
        let path = try #require(lines.dropFirst(line + 1).first).trimmingCharacters(in: .whitespaces)
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Nobody types three lines again from memory.
    @Test(.timeLimit(.minutes(2)), arguments: [SIGHUP, SIGTERM]) func whatIsOnTheLineOutlivesTheShell(
        signal: Int32
    ) throws {
        let mara = try laptopWithInspection()
        let terminal = try mara.terminal("new", "finding", try mara.ids("inspections")[0])
        try terminal.waitForPrompt("What is wrong:")
        let text = String(repeating: "The hood drips. ", count: 6) + "Soap"
        try terminal.type(text)
        try terminal.waitFor("Soap")
        try terminal.kill(signal)
        #expect(try terminal.exitStatus() == 128 + signal)
        #expect(try unfinishedText(of: mara) == text)
    }

    /// Ctrl-C is also what people copy with.
    @Test(.timeLimit(.minutes(2))) func whatIsOnTheLineOutlivesCtrlC() throws {
        let mara = try laptopWithInspection()
        let terminal = try mara.terminal("new", "finding", try mara.ids("inspections")[0])
        try terminal.waitForPrompt("What is wrong:")
        let text = String(repeating: "The hood drips. ", count: 6) + "Soap"
        try terminal.type(text)
        try terminal.waitFor("Soap")
        try terminal.press(.controlC)
        try terminal.waitFor("What you wrote is in")
        #expect(try terminal.exitStatus() == 130)
        #expect(try unfinishedText(of: mara) == text)
    }

    @Test(.timeLimit(.minutes(2))) func noCommandComesBackAtAQuestion() throws {
        let mara = try laptopWithInspection()
        let terminal = try mara.terminal()
        try terminal.waitForPrompt("fieldbook")
        try terminal.enter("edit mill")
        try terminal.waitForPrompt("Change number")
        try terminal.press(.up)
        try terminal.enter("7")
        try terminal.waitForPrompt("Telephone:")
        try terminal.press(.up)
        try terminal.enter("123")
        try terminal.waitForPrompt("Change number")
        try terminal.enter("")
        try terminal.waitFor("Saved the site Old mill.")
        try terminal.waitForPrompt("fieldbook")
        try terminal.press(.up)
        try terminal.waitFor("> edit mill")
        #expect(try mara.run("show", "mill").out.contains("123"))
    }

    /// Escape waits for another key, which is not the first of the next line.
    @Test(.timeLimit(.minutes(2))) func aKeyThatWaitsForOthersEndsWithCtrlC() throws {
        let mara = try laptopWithInspection()
        let terminal = try mara.terminal()
        try terminal.waitForPrompt("fieldbook")
        try terminal.type("quay")
        try terminal.waitFor("quay")
        try terminal.type("\u{1B}")
        try terminal.press(.controlC)
        try terminal.waitFor("^C")
        try terminal.waitForPrompt("fieldbook")
        try terminal.enter("sites mill")
        try terminal.waitFor("Old mill")
    }

    @Test(.timeLimit(.minutes(2))) func aLongTextIsWrittenInAnEditor() throws {
        let mara = try laptopWithInspection()
        let script = try mara.file("editor.sh", "#!/bin/sh\nprintf 'from the\\neditor\\n' > \"$1\"\n")
        chmod(script, 0o700)
        let terminal = try mara.terminal(
            "new", "finding", try mara.ids("inspections")[0], environment: ["VISUAL": script])
        try terminal.waitForPrompt("What is wrong:")
        try terminal.enter(":edit")
        try terminal.waitForPrompt("Number:")
        try terminal.press(.controlC)
        try terminal.waitFor("Your answers so far are kept as finding")
        #expect(try mara.run("list", "findings", "--json").out.contains("from the\\neditor"))
    }
}
