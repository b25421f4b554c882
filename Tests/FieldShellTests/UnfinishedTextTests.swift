import Foundation
import Testing

@testable import FieldShell

/// What an editor had when the shell ended, or when it failed.
@Suite struct UnfinishedTextTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("texts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    /// The last argument of a shell's command is the file that is edited.
    @Test(arguments: [
        (#"printf 'Two doors.' > "$1"; exit 1; :"#, "failed", "Two doors."),
        (#"printf 'Two doors.' > "$1"; kill -9 $$; :"#, "failed", "Two doors."),
        (#"printf 'caf\351' > "$1"; :"#, "wrote is no text", "caf\u{FFFD}"),
    ])
    func whatAFailingEditorSavedIsKept(editor: String, problem: String, text: String) throws {
        try withFolder { folder in
            let external = ExternalEditor(variables: ["EDITOR": editor], folder: folder)
            let error = try #require(throws: EditorError.self) { try external.edit("One door.") }
            let file = try #require(try UnfinishedTexts(folder: folder).recover().first)
            #expect(error.description.contains(problem))
            #expect(error.description.hasSuffix("the answer is as it was. What you wrote is in \(file.path)"))
            #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == text)
        }
    }

    /// Should the shell be killed before a record has it, the next one finds it.
    @Test func whatWasWrittenIsOnTheDiskUntilARecordHasIt() throws {
        try withFolder { folder in
            let texts = UnfinishedTexts(folder: folder)
            let external = ExternalEditor(variables: ["EDITOR": #"printf 'Two doors.' > "$1"; :"#], folder: folder)
            for write in [{ try external.edit("One door.") }, { try texts.hold("Two doors.") }] {
                let text: WrittenText = try write()
                #expect(text.text == "Two doors.")
                let file = try #require(text.file)
                #expect(try String(contentsOf: file, encoding: .utf8) == "Two doors.")
                texts.discard(text)
                #expect(try texts.recover().isEmpty)
            }
            let kept = try texts.keep(try external.edit("One door."))
            #expect(try texts.recover() == [kept])
        }
    }

    /// It may be empty or not.
    @Test func whatCannotBeReadBackIsKept() throws {
        try withFolder { folder in
            let editor = #"rm "$1"; ln -s /proc/self/mem "$1"; :"#
            let external = ExternalEditor(variables: ["EDITOR": editor], folder: folder)
            let error = try #require(throws: EditorError.self) { try external.edit("One door.") }
            #expect(error.description.contains("cannot be read"), "\(error)")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.map { $0.hasPrefix("unfinished-text-") } == [true], "\(left)")
        }
    }

    @Test(arguments: ["false", #"printf ' ' > "$1"; exit 1; :"#])
    func whereNothingWasWrittenNothingIsKept(editor: String) throws {
        try withFolder { folder in
            let external = ExternalEditor(variables: ["EDITOR": editor], folder: folder)
            #expect(throws: EditorError.self) { try external.edit("One door.") }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(files.isEmpty)
        }
    }

    /// When their terminal is closed, nano writes `.save`, Emacs `#…#`; what Vim had is in its swap file.
    @Test func whatEditorsRescueIsShown() throws {
        try withFolder { folder in
            let rescued = [
                ".answer-2147483646-1.txt": "", ".answer-2147483646-1.txt.save": "by nano",
                "#.answer-2147483645-2.txt#": "by Emacs", ".answer-2147483644-1.txt.swp": "b0VIM",
                ".answer-1-1.txt.save": "of another shell",
            ]
            for (name, text) in rescued { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
            let texts = UnfinishedTexts(folder: folder)
            for _ in 1...2 {
                let found = try texts.recover()
                let expected = [2_147_483_644, 2_147_483_645, 2_147_483_646].map { "unfinished-text-\($0).txt" }
                #expect(found.map(\.lastPathComponent) == expected)
                #expect(try found.map { try String(contentsOf: $0, encoding: .utf8) } == ["", "by Emacs", "by nano"])
                #expect(found.map(texts.isRecoveredByVim) == [true, false, false])
            }
            let swap = folder.appendingPathComponent(".unfinished-text-2147483644.txt.swp")
            #expect(try String(contentsOf: swap, encoding: .utf8) == "b0VIM")
        }
    }

    /// A launcher of a window ends before the user has written anything.
    @Test func anEditorThatDoesNotWaitIsNamed() throws {
        try withFolder { folder in
            let external = ExternalEditor(variables: ["EDITOR": "true"], folder: folder)
            let error = try #require(throws: EditorError.self) { try external.edit("One door.") }
            #expect(error.description.contains("--wait"))
            let texts = UnfinishedTexts(folder: folder)
            #expect(texts.newFile() != texts.newFile())
        }
    }

    /// Such as one that is full.
    @Test func whatTheDiskOfTheRecordsDoesNotTakeIsElsewhere() throws {
        try withFolder { folder in
            let runtime = folder.appendingPathComponent("run")
            try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: true)
            let spare = SpareFolder.all(["XDG_RUNTIME_DIR": runtime.path, "TMPDIR": folder.path])
            #expect(spare.map(\.isOwn) == [false, false])
            // What the system keeps for a session goes with it.
            #expect(spare.last?.url.path.contains("/run/") == true)
            let last = try #require(spare.last).url.appendingPathComponent("a.txt").path
            #expect(SpareFolder.warning(of: last).contains("memory"))
            #expect(SpareFolder.warning(of: spare[0].url.appendingPathComponent("a.txt").path).isEmpty)
            #expect(
                SpareFolder.all([:], user: 7).map(\.url.path)
                    == ["/var/tmp/fieldbook-texts-7", "/tmp/fieldbook-texts-7"])
            let texts = TextFolders(folder: folder.appendingPathComponent("gone"), spare: spare)
            let held = try texts.hold("Two doors.")
            let file = try #require(held.file)
            let expected = spare[0].url.path
            #expect(file.deletingLastPathComponent().path == expected && texts.roomy().path == expected)
            let kept = try texts.keep(held)
            #expect(try String(contentsOf: kept, encoding: .utf8) == "Two doors.")
            let second = try texts.keep(WrittenText("No soap."))
            let found = try texts.all.dropFirst().flatMap { try $0.recover() }
            #expect(Set(found.map(\.path)) == [kept.path, second.path])
        }
    }

    /// Any user may make a folder of its name before.
    @Test func aFolderThatOthersMayReadIsNotUsed() throws {
        try withFolder { folder in
            let spare = SpareFolder.all(["XDG_RUNTIME_DIR": "", "TMPDIR": folder.path])
            #expect(spare.count == 1)
            #expect(mkdir(spare[0].url.path, 0o755) == 0 && chmod(spare[0].url.path, 0o755) == 0)
            let texts = TextFolders(folder: folder.appendingPathComponent("gone"), spare: spare)
            #expect(throws: EditorError.self) { try texts.hold("Two doors.") }
        }
    }

    /// In a container each shell may have the number of the last one.
    @Test func aTextOfAShellWithTheSameNumberIsShown() throws {
        try withFolder { folder in
            let texts = UnfinishedTexts(folder: folder)
            try Data("Two doors.".utf8).write(to: texts.newFile())
            let found = try texts.recover()
            #expect(found.map(\.lastPathComponent) == ["unfinished-text-\(getpid()).txt"])
            #expect(try found.map { try String(contentsOf: $0, encoding: .utf8) } == ["Two doors."])
        }
    }

    /// It hides none of the others.
    @Test func whatCannotBeReadIsNamed() throws {
        try withFolder { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.appendingPathComponent(".answer-2147483645.txt").path, withDestinationPath: "nowhere")
            try Data("Two doors.".utf8).write(to: folder.appendingPathComponent(".answer-2147483646.txt"))
            #expect(
                try UnfinishedTexts(folder: folder).recover().map(\.lastPathComponent)
                    == ["unfinished-text-2147483645.txt", "unfinished-text-2147483646.txt"])
        }
    }

    @Test func aTextWhoseShellHasEndedIsShown() throws {
        try withFolder(shows)
    }

    private func shows(in folder: URL) throws {
        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        // No process has such a number.
        try write("The fridge is broken.\n", to: ".answer-2147483646.txt")
        try write(" \n", to: ".answer-2147483645.txt")
        // The system's first one is running.
        try write("of another shell", to: ".answer-1.txt")
        for _ in 1...2 {
            let found = try UnfinishedTexts(folder: folder).recover()
            #expect(found.map(\.lastPathComponent) == ["unfinished-text-2147483646.txt"])
            #expect(try found.map { try String(contentsOf: $0, encoding: .utf8) } == ["The fridge is broken.\n"])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        // Another text of a shell with the same number.
        try write("More", to: ".answer-2147483646.txt")
        #expect(try UnfinishedTexts(folder: folder).recover().count == 2)
    }
}
