import Foundation
import Glibc
import Testing

/// A program in a terminal of a real size, which a test types into and looks at as a person does. tmux draws the screen.
///
/// What is waited for is looked for below the line that was entered last, so that an older answer is not taken for it.
/// White space counts as one space, and a line's end as white space: text may be wrapped between two words.
final class TmuxTerminal {
    enum Key: String {
        case enter = "Enter"
        case tab = "Tab"
        case backspace = "BSpace"
        case up = "Up"
        case home = "Home"
        case end = "End"
        case controlC = "C-c"
        case controlD = "C-d"
        case controlU = "C-u"
        case controlZ = "C-z"
    }

    private let folder: URL
    private var columns: Int
    /// The line at which an answer to what was typed last can begin, counted from the first that was ever shown.
    private var mark = 0
    /// The line at which the next prompt can be, counted likewise.
    private var promptMark = 0

    /// - Parameters:
    ///   - words: the program's arguments.
    ///   - environment: beside this process's own.
    convenience init(
        _ program: Program = .fieldbook, command: [String], columns: Int = 80, rows: Int = 24,
        environment: [String: String] = [:]
    ) throws {
        try self.init(running: [program.url.path] + command, columns: columns, rows: rows, environment: environment)
    }

    /// - Parameter line: any program, by its path or name, and its arguments.
    init(running line: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]) throws {
        self.columns = columns
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tmux-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let variables = environment.merging(["LC_ALL": "C.UTF-8"]) { given, _ in given }
        var arguments = ["-f", "/dev/null", "start-server", ";"]
        arguments += ["set-option", "-g", "remain-on-exit", "on", ";"]
        arguments += ["set-option", "-g", "history-limit", "20000", ";"]
        arguments += ["new-session", "-d", "-x", String(columns), "-y", String(rows)]
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) { arguments += ["-e", name + "=" + value] }
        arguments += ["--", "sh", "-c", Self.noting, statusFile.path] + line
        try tmux(arguments)
    }

    /// Runs the program and writes its exit status to a file: tmux now and then misses the end of a program. The traps
    /// keep the shell from ending with it; the program itself gets these signals as ever.
    private static let noting = #"trap : INT QUIT; "$@"; echo $? >"$0.part"; mv "$0.part" "$0""#

    private var statusFile: URL { folder.appendingPathComponent("status") }

    deinit {
        _ = try? tmux(["kill-server"])
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Typing

    /// Types a line and enters it.
    ///
    /// - Parameter isHidden: the program does not show what is typed.
    func enter(_ line: String, isHidden: Bool = false) throws {
        mark = try cursorLine()
        try type(line)
        if !isHidden { try waitForEcho(of: line) }
        mark = try cursorLine() + 1
        promptMark = mark
        try tmux(["send-keys", "Enter"])
    }

    /// Has the next page of a long answer shown; what was shown of it before still counts.
    func turnPage() throws {
        promptMark = try cursorLine() + 1
        try tmux(["send-keys", "Enter"])
    }

    /// Types without entering.
    func type(_ text: String) throws {
        if !text.isEmpty { try tmux(["send-keys", "-l", "--", text]) }
    }

    func press(_ key: Key) throws {
        mark = try cursorLine()
        promptMark = mark
        try tmux(["send-keys", key.rawValue])
    }

    /// Pastes as a terminal does: in brackets, where the program has asked for them.
    func paste(_ text: String) throws {
        mark = try cursorLine()
        promptMark = mark
        let file = folder.appendingPathComponent("paste")
        try Data(text.utf8).write(to: file)
        try tmux(["load-buffer", file.path, ";", "paste-buffer", "-p", "-d"])
    }

    // MARK: Looking

    /// What is on the screen, a line each.
    var screen: [String] {
        get throws { try tmux(["capture-pane", "-p"]).lines }
    }

    /// Everything that was shown since the terminal was opened.
    var transcript: [String] {
        get throws { try tmux(["capture-pane", "-p", "-S", "-"]).lines }
    }

    /// What was printed longer than the screen is wide, so that the terminal broke it wherever its edge was, also in the
    /// middle of a name. Lines that were typed are not among them.
    var linesBrokenByTheTerminal: [String] {
        get throws {
            try tmux(["capture-pane", "-p", "-J", "-S", "-"]).lines.map { line in
                String(line.reversed().drop { $0 == " " }.reversed())
            }.filter { line in
                line.count > columns && !line.hasPrefix("fieldbook")
            }
        }
    }

    /// Waits until a text is shown.
    func waitFor(_ text: String, within limit: TimeInterval = 20) throws {
        let wanted = Self.normalized(text)
        try wait(for: text, within: limit) {
            Self.normalized(try transcript.dropFirst(mark).joined(separator: "\n")).contains(wanted)
        }
    }

    /// Waits until a condition holds of the lines below the one that was entered last, each without spaces at its ends and with
    /// one between two words.
    ///
    /// - Parameter name: of what is waited for, for the failure.
    func waitForLines(
        _ name: String, within limit: TimeInterval = 20, where condition: ([String]) throws -> Bool
    ) throws {
        try wait(for: name, within: limit) { try condition(try transcript.dropFirst(mark).map(Self.normalized)) }
    }

    /// Waits until what is typed is not shown.
    func waitUntilHidden(within limit: TimeInterval = 20) throws {
        let path = try tmux(["display-message", "-p", "#{pane_tty}"]).lines.first ?? ""
        let device = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        try #require(device >= 0, "\(path)")
        defer { close(device) }
        try wait(for: "hidden input", within: limit) {
            var modes = termios()
            return tcgetattr(device, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) == 0
        }
    }

    /// A long line is broken wherever the terminal ends.
    private func waitForEcho(of line: String) throws {
        let wanted = line.filter { !$0.isWhitespace }
        try wait(for: line, within: 20) {
            try transcript.dropFirst(mark).joined().filter { !$0.isWhitespace }.contains(wanted) || wanted.isEmpty
        }
    }

    /// Waits until the cursor is in a new line that begins with a prompt.
    func waitForPrompt(_ prompt: String, within limit: TimeInterval = 20) throws {
        try waitForPrompt(of: [prompt], within: limit)
    }

    /// - Returns: the prompt that it is.
    @discardableResult
    func waitForPrompt(of prompts: [String], within limit: TimeInterval = 20) throws -> String {
        var found: String?
        try wait(for: prompts.joined(separator: "' or '"), within: limit) {
            let line = try cursorLine()
            let lines = try transcript
            guard line >= promptMark, lines.indices.contains(line) else { return false }
            found = prompts.first { lines[line].hasPrefix($0) }
            return found != nil
        }
        return found ?? ""
    }

    private func wait(for text: String, within limit: TimeInterval, _ condition: () throws -> Bool) throws {
        guard try eventually(within: limit, condition) else {
            throw Failure(text: "'\(text)' is not shown within \(limit) s:\n" + (try screen).joined(separator: "\n"))
        }
    }

    // MARK: The program

    /// Ends the program as a flat battery does.
    func kill(_ signal: Int32 = SIGKILL) throws { Glibc.kill(try programID(), signal) }

    /// Of the program that was started.
    func programID() throws -> pid_t {
        let pane = try tmux(["display-message", "-p", "#{pane_pid}"]).trimmingCharacters(in: .whitespacesAndNewlines)
        // The program is the only child of the shell that notes its end, and that may not have started it yet.
        var id: pid_t?
        _ = try eventually(within: 30) {
            let children = try String(contentsOfFile: "/proc/\(pane)/task/\(pane)/children", encoding: .utf8)
            id = children.split(separator: " ").first.flatMap { Int32($0) }
            return id != nil
        }
        guard let id else { throw Failure(text: "No program is running in the terminal.") }
        return id
    }

    /// As a person does who drags the window's corner.
    func resize(columns: Int, rows: Int = 24) throws {
        self.columns = columns
        try tmux(["resize-window", "-x", String(columns), "-y", String(rows)])
    }

    /// Waits for the program's end.
    ///
    /// - Returns: its exit status; 128 and the signal's number where a signal ended it.
    func exitStatus(within limit: TimeInterval = 20) throws -> Int32 {
        guard eventually(within: limit, { FileManager.default.fileExists(atPath: statusFile.path) }) else {
            let shown = try screen.joined(separator: "\n")
            throw Failure(text: "The program has not ended within \(limit) s:\n" + shown)
        }
        let text = try String(contentsOf: statusFile, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let status = Int32(text) else { throw Failure(text: "'\(text)' is no exit status.") }
        return status
    }

    // MARK: tmux

    struct Failure: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }

    /// Counted from the first line that was ever shown.
    private func cursorLine() throws -> Int {
        let text = try tmux(["display-message", "-p", "#{history_size} #{cursor_y}"])
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard numbers.count == 2 else { throw Failure(text: "tmux does not say where the cursor is: \(text)") }
        return numbers[0] + numbers[1]
    }

    /// Each terminal has a server of its own, which knows nothing of the user's.
    @discardableResult
    private func tmux(_ command: [String]) throws -> String {
        let output = folder.appendingPathComponent("output")
        let status = try Self.run(["tmux", "-S", folder.appendingPathComponent("socket").path] + command, into: output)
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        guard status == 0 else { throw Failure(text: "tmux \(command.joined(separator: " ")) failed: \(text)") }
        return text
    }

    /// The server stays and keeps what it inherits: Foundation's `Process` would wait for its end, and a lock of ours
    /// would outlive us. So it gets nothing but its output.
    private static func run(_ command: [String], into output: URL) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        for other in 3..<Int32(256) { posix_spawn_file_actions_addclose(&actions, other) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A test's thread may have signals blocked; the server would never hear of the end of a program.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
        environment["TMUX"] = nil
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, "tmux", &actions, &attributes, arguments, variables)
        guard code == 0 else { throw Failure(text: "tmux cannot be started: \(String(cString: strerror(code)))") }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static func normalized(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension String {
    fileprivate var lines: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
