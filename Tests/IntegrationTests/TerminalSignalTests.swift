import Foundation
import Glibc
import Synchronization
import Testing

/// What a terminal and a shell do to a program while a line is typed: another size, stopping, going on, ending.
@Suite(.serialized) struct TerminalSignalTests {
    private func laptop() throws -> FieldLaptop {
        let mara = try FieldLaptop()
        #expect(try mara.run("new", "site", "Old mill", "district=hill", "--yes").status == 0)
        return mara
    }

    /// Sends a signal to a process all the time.
    private final class Storm: @unchecked Sendable {
        private let isOver = Atomic(false)
        private let ended = DispatchSemaphore(value: 0)

        init(of signal: Int32, to process: pid_t) {
            Thread { [self] in
                while !isOver.load(ordering: .relaxed) { kill(process, signal) }
                ended.signal()
            }.start()
        }

        func end() {
            isOver.store(true, ordering: .relaxed)
            ended.wait()
            // For who ends it once more.
            ended.signal()
        }
    }

    /// A window manager gives a new window its size when the program in it has begun.
    @Test(.timeLimit(.minutes(2))) func aSizeThatChangesAtTheStartEndsNothing() throws {
        let mara = try laptop()
        for _ in 0..<5 {
            let terminal = try mara.terminal()
            let storm = Storm(of: SIGWINCH, to: try terminal.programID())
            defer { storm.end() }
            try terminal.waitForPrompt("fieldbook>")
            storm.end()
            try terminal.enter("quit")
            #expect(try terminal.exitStatus() == 0)
        }
    }

    @Test(.timeLimit(.minutes(2))) func aLineIsWholeAfterTheSizeHasChanged() throws {
        let mara = try laptop()
        let terminal = try mara.terminal()
        try terminal.resize(columns: 90)
        try terminal.waitForPrompt("fieldbook>")
        for (index, letter) in "sites mi".enumerated() {
            try terminal.type(String(letter))
            try terminal.resize(columns: 60 + index)
        }
        try terminal.type("ll")
        try terminal.waitFor("fieldbook> sites mill")
        try terminal.press(.enter)
        try terminal.waitFor("Old mill")
        // The library breaks lines where the new size ends.
        try terminal.resize(columns: 40)
        let long = String(repeating: "long ", count: 14)
        try terminal.type("sites \(long)end")
        try terminal.waitFor("long end")
        try terminal.press(.controlC)
        try terminal.enter("quit")
        #expect(try terminal.exitStatus() == 0)
    }

    @Test(.timeLimit(.minutes(2))) func aLineIsThereAgainAfterAStop() throws {
        let mara = try laptop()
        let terminal = try shellTerminal()
        try terminal.enter(commandLine(of: mara))
        try terminal.waitForPrompt("fieldbook>")
        try terminal.type("sites mi")
        try terminal.waitFor("sites mi")
        try terminal.press(.controlZ)
        try terminal.waitFor("Stopped")
        try terminal.waitForPrompt("shell>")
        try terminal.enter("stty -a")
        // As the shell has had it.
        try terminal.waitFor(" icanon")
        try terminal.enter("fg")
        try terminal.waitForPrompt("fieldbook> sites mi")
        try terminal.type("ll")
        try terminal.press(.enter)
        try terminal.waitFor("Old mill")
        try terminal.waitForPrompt("fieldbook>")
        try terminal.enter("quit")
        try terminal.waitForPrompt("shell>")
        try terminal.enter("exit")
        #expect(try terminal.exitStatus() == 0)
    }

    /// The shell gets its terminal back as it was, and what is typed after `fg` is as hidden as before.
    @Test(.timeLimit(.minutes(2))) func aPassphraseIsHiddenAfterAStop() throws {
        let mara = try FieldLaptop(usesPassphrase: true)
        let terminal = try shellTerminal()
        try terminal.enter("\(Program.fieldbook.url.path) quarantine --folder \(mara.folder)")
        try terminal.waitForPrompt("Passphrase")
        try terminal.press(.controlZ)
        try terminal.waitFor("Stopped")
        try terminal.waitForPrompt("shell>")
        try terminal.enter("stty -a")
        try terminal.waitFor(" echo ")
        try terminal.enter("fg")
        try terminal.waitForPrompt("Passphrase")
        try terminal.enter("correct horse battery", isHidden: true)
        try terminal.waitFor("Nothing is in quarantine.")
        #expect(try !terminal.screen.joined().contains("correct horse"))
        try terminal.enter("stty -a")
        try terminal.waitFor(" echo ")
    }

    /// While the key is made of it, no line is read.
    @Test(.timeLimit(.minutes(2))) func aPassphraseIsHiddenAfterAStopWhileOneIsChecked() throws {
        let mara = try FieldLaptop(usesPassphrase: true)
        let terminal = try shellTerminal()
        try terminal.enter("\(Program.fieldbook.url.path) quarantine --folder \(mara.folder)")
        try terminal.waitForPrompt("Passphrase")
        try terminal.enter("wrong horse battery", isHidden: true)
        try terminal.press(.controlZ)
        try terminal.waitFor("Stopped")
        try terminal.waitForPrompt("shell>")
        try terminal.enter("stty -a")
        try terminal.waitFor(" echo ")
        try terminal.enter("fg")
        try terminal.waitUntilHidden()
        // Perhaps not asked for yet, and thrown away then.
        try terminal.type("correct horse")
        try terminal.waitForPrompt("Passphrase")
        try terminal.press(.controlU)
        try terminal.enter("correct horse battery", isHidden: true)
        try terminal.waitFor("Nothing is in quarantine.")
        #expect(try !terminal.transcript.joined().contains("correct horse"))
        try terminal.enter("stty -a")
        try terminal.waitFor(" echo ")
    }

    @Test(.timeLimit(.minutes(2)), arguments: [SIGTERM, SIGHUP])
    func anEndedProgramLeavesTheTerminalAsItWas(signal: Int32) throws {
        let mara = try laptop()
        let terminal = try shellTerminal()
        try terminal.enter(commandLine(of: mara))
        try terminal.waitForPrompt("fieldbook>")
        try terminal.type("sites")
        try terminal.waitFor("sites")
        let shell = try terminal.programID()
        let program = try #require(try Self.children(of: shell).first)
        kill(program, signal)
        try terminal.waitForPrompt("shell>")
        try terminal.enter("echo status $?")
        try terminal.waitFor("status \(128 + signal)")
        try terminal.enter("stty -a")
        try terminal.waitFor(" icanon")
    }

    /// A shell that leaves the terminal's modes alone.
    private func shellTerminal() throws -> TmuxTerminal {
        let terminal = try TmuxTerminal(running: ["sh", "-i"], columns: 200, environment: ["PS1": "shell> "])
        try terminal.waitForPrompt("shell>")
        return terminal
    }

    private func commandLine(of laptop: FieldLaptop) -> String {
        ([Program.fieldbook.url.path] + laptop.arguments()).joined(separator: " ")
    }

    private static func children(of process: pid_t) throws -> [pid_t] {
        try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
            .split(separator: " ").compactMap { Int32($0) }
    }
}
