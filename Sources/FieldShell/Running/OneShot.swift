import DocumentValues
import FieldRecords
import FieldSync
import Foundation
import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The program `fieldbook` without its database tool: a command in its arguments, or the shell.
public enum OneShot {
    /// - Returns: the exit status: 0 done, 1 failed, 2 wrong use.
    public static func run(_ arguments: [String]) async -> Int32 {
        let parsed: ParsedCommand
        do throws(UsageError) {
            parsed = try parse(arguments)
        } catch {
            return report(error, asJSON: arguments.contains("--json"))
        }
        do {
            return try await run(parsed)
        } catch {
            return report(error, asJSON: parsed.common.isJSON, folder: parsed.common.folder)
        }
    }

    /// - Parameter folder: as it was named.
    private static func report(_ error: any Error, asJSON isJSON: Bool, folder: String? = nil) -> Int32 {
        if isJSON {
            Terminal.write(JSONRenderer.line(error).printableJSON + "\n", to: STDERR_FILENO)
        } else {
            let text = ErrorText.text(error, spelling: .program(folder: folder))
            Terminal.writeWrapped(text.printable, to: STDERR_FILENO)
        }
        return ErrorText.exitStatus(error)
    }

    private static func parse(_ arguments: [String]) throws(UsageError) -> ParsedCommand {
        if arguments.first == "--help" || arguments.first == "-h" {
            return try CommandParser.parse(tokens: ["help"], in: .oneShot)
        }
        return try CommandParser.parse(tokens: CommandParser.withCommandFirst(arguments), in: .oneShot)
    }

    private static func run(_ parsed: ParsedCommand) async throws -> Int32 {
        if case .shell(let replay) = parsed.command { return try await runShell(parsed.common, replay: replay) }
        if case .sync(let options) = parsed.command, options.isContinuous { return try await runAsService(parsed) }
        return try await perform(parsed, as: .command)
    }

    fileprivate static func perform(_ parsed: ParsedCommand, as use: SessionUse) async throws -> Int32 {
        let session = session(parsed.common)
        session.use = use
        session.keyUse = parsed.command.keyUse
        session.emit = { [unowned session] result in
            do { try print(result, asJSON: parsed.common.isJSON, of: session) } catch {
                _ = report(error, asJSON: parsed.common.isJSON, folder: parsed.common.folder)
            }
        }
        if session.canAsk, parsed.command.asksForAnswers {
            session.recoverUnfinishedTexts().forEach(session.dialogue.show)
        }
        let result = try await CommandRunner(session).run(parsed.command)
        try show(result, common: parsed.common, on: session)
        try session.close()
        return result.exitStatus
    }

    /// A continuous sync ends cleanly when the program is asked to end.
    private static func runAsService(_ parsed: ParsedCommand) async throws -> Int32 {
        let command = CommandService(parsed)
        let service = ServiceGroupConfiguration.ServiceConfiguration(
            service: command, successTerminationBehavior: .gracefullyShutdownGroup)
        var configuration = ServiceGroupConfiguration(
            services: [service], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "fieldbook.services"))
        configuration.maximumGracefulShutdownDuration = ServiceLimits.shutdown
        try await ServiceGroup(configuration: configuration).run()
        return command.exitStatus
    }

    private static func session(_ common: CommonOptions) -> ShellSession {
        let dialogue: any Dialogue =
            Terminal.hasInput && Terminal.hasOutput && !common.isJSON
            ? TerminalDialogue(
                historyFile: nil, texts: FieldFolder(path: ShellEnvironment.current.folderPath(common.folder)).url)
            : SilentDialogue { Terminal.writeWrapped($0.printable, to: STDERR_FILENO) }
        let session = ShellSession(
            folder: common.folder, environment: .current, dialogue: dialogue, meter: meter(common),
            passphraseFile: common.passphraseFile)
        session.asksNothing = common.asksNothing
        return session
    }

    private static func meter(_ common: CommonOptions) -> any ProgressMeter {
        if common.isJSON { return NoProgressMeter() }
        let write: (String) -> Void = { Terminal.write($0, to: STDERR_FILENO) }
        return Terminal.hasErrorOutput
            ? BarProgressMeter(columns: { Terminal.columns }, write: write) : LineProgressMeter(write: write)
    }

    /// Page by page if the user sees the output.
    private static func show(_ result: CommandResult, common: CommonOptions, on session: ShellSession) throws {
        guard session.dialogue.isInteractive, !common.isJSON, Terminal.hasOutput else {
            return try print(result, asJSON: common.isJSON, of: session)
        }
        let lines = try renderer.lines(result)
        if !lines.isBlank { _ = try session.pager.show(lines, on: session.dialogue, isWhole: common.isWhole) }
    }

    private static var renderer: TextRenderer {
        TextRenderer(
            width: Terminal.hasOutput ? Terminal.columns : 200, numbersRows: false, wraps: Terminal.hasOutput,
            clock: ShellEnvironment.current.clock)
    }

    private static func print(_ result: CommandResult, asJSON: Bool, of session: ShellSession) throws {
        if asJSON { return try JSONRenderer.portions(result, of: session).forEach { StandardOutput.lines($0) } }
        if case .form(let output) = result, let file = output.file, !Terminal.hasOutput {
            return StandardOutput.bytes(file)
        }
        let lines = try renderer.lines(result)
        if !lines.isBlank { try lines.forEach { StandardOutput.lines($0) } }
    }

    // MARK: The shell

    private static func runShell(_ common: CommonOptions, replay: String?) async throws -> Int32 {
        let output: (String) -> Void = { Terminal.write($0 + "\n", to: STDOUT_FILENO) }
        let folder = FieldFolder(path: ShellEnvironment.current.folderPath(common.folder))
        let terminal =
            replay == nil && Terminal.hasInput
            ? TerminalDialogue(historyFile: folder.historyFile, texts: folder.url) : nil
        if common.asksNothing, terminal != nil {
            throw UsageError(
                "--yes is for one command, and for lines from a pipe or a file.",
                hint: "In the shell, type it at the end of its command.")
        }
        let dialogue: any Dialogue =
            try terminal ?? ScriptedDialogue(lines: lines(replay), mayConsent: replay != nil, output: output)
        let session = ShellSession(
            folder: common.folder, environment: .current, dialogue: dialogue, meter: meter(common),
            passphraseFile: common.passphraseFile)
        // A wrong passphrase or a missing folder is reported before the first line.
        _ = try session.field()
        let timeout = terminal == nil ? nil : InterruptTimeout()
        if terminal != nil {
            dialogue.show("Fieldbook. Commands: help. Leave: quit.")
            if let line = try TodaysLine(session: session).text() { dialogue.show(line) }
            session.recoverUnfinishedTexts().forEach(dialogue.show)
        }
        let loop = ShellLoop(session, isAttended: terminal != nil, asksNothing: common.asksNothing) {
            TextRenderer(
                width: Terminal.hasOutput ? Terminal.columns : 100, numbersRows: true, wraps: Terminal.hasOutput,
                clock: session.environment.clock)
        } remember: {
            timeout?.begin()
            terminal?.remember($0, memory: $1)
        }
        defer { timeout?.end() }
        let status = await loop.run()
        try session.close()
        // A person has read the error message.
        return terminal == nil ? status : 0
    }

    private static func lines(_ replay: String?) throws -> [String] {
        let data =
            try replay.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            ?? FileHandle.standardInput.readToEnd() ?? Data()
        // By bytes: as a `Character`, a line's end that was written on Windows is none.
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.dropLast(data.last == UInt8(ascii: "\n") ? 1 : 0).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
    }
}

extension Portions where Element == String {
    /// Whether there is no text in these lines.
    fileprivate var isBlank: Bool { rest == nil && first.count < 2 && first.allSatisfy(\.isEmpty) }
}

/// A command that runs until the program is asked to stop.
private final class CommandService: Service {
    private let parsed: ParsedCommand
    private let status = Mutex<Int32>(0)

    init(_ parsed: ParsedCommand) { self.parsed = parsed }

    var exitStatus: Int32 { status.withLock { $0 } }

    func run() async throws {
        let status = try await OneShot.perform(parsed, as: .unattended)
        self.status.withLock { $0 = status }
    }
}
