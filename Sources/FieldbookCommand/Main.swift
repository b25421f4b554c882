import ArgumentParser
import Fieldbook
import FieldShell
import Foundation
import Glibc
import Logging

/// The program `fieldbook` for developers and operators: commands for any database folder. The commands of workers are
/// the shell's own, so that a line means the same wherever it is typed.
struct FieldbookProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fieldbook",
        abstract: "Records of the field: offline first, synchronized when there is a network.",
        version: "0.1.0",
        subcommands: [DatabaseCommand.self])
}

/// Exit status: 0 success, 1 failure, 2 wrong use. Messages for people go to standard error.
@main
enum FieldbookCommandMain {
    static func main() async {
        leaveNoCore()
        logAsAsked()
        let arguments: [String]
        do throws(UsageError) { arguments = try ArgumentTexts.read(writtenArguments) } catch {
            StandardOutput.message("Error: \(error)")
            exit(2)
        }
        // `fieldbook help db put` is not for the shell, whose help does not include the commands of `db`.
        let first = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
        let isTool =
            FieldbookProgram.configuration.subcommands.contains { $0._commandName == first } || first == "--version"
        exit(isTool ? await runTool() : await OneShot.run(arguments))
    }

    /// Their bytes, without the program's own name.
    private static var writtenArguments: [[UInt8]] {
        (1..<max(Int(CommandLine.argc), 1)).compactMap { index in
            CommandLine.unsafeArgv[index].map { text in
                Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
            }
        }
    }

    /// A core dump would contain passwords and keys.
    private static func leaveNoCore() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    /// Messages for the user are sentences on standard error; the log is written only at the user's request.
    private static func logAsAsked() {
        let asked = AskedLog(ProcessInfo.processInfo.environment["FIELDBOOK_LOG"])
        if let warning = asked.warning { StandardOutput.message(warning) }
        let level = asked.level ?? .error
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level.ofPrograms
            return handler
        }
        // The commands report the results of replications themselves.
        LogSinks.console = ConsoleLogSink(
            level: level.ofLibrary, domains: asked.level == nil ? [.database, .query] : .all)
    }

    private static func runTool() async -> Int32 {
        do {
            var command = try FieldbookProgram.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return 0
        } catch {
            return status(explaining: error)
        }
    }

    private static func status(explaining error: any Error) -> Int32 {
        if let exit = error as? ExitCode { return exit.rawValue }
        let code = FieldbookProgram.exitCode(for: error)
        let message = FieldbookProgram.fullMessage(for: error)
        switch code {
        case .success:
            print(message)
            return 0
        case .validationFailure:
            StandardOutput.message(message)
            return 2
        default:
            StandardOutput.message("Error: \(error)")
            return 1
        }
    }
}
