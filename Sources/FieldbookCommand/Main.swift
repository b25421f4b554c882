import ArgumentParser
import FieldShell
import Foundation
import Logging

/// The program `fieldbook` for developers and operators: what works on any database folder. The commands of workers
/// are the shell's own, so that a line means the same wherever it is typed.
struct FieldbookProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fieldbook",
        abstract: "Records of the field: offline first, synchronized when there is a network.",
        subcommands: [DatabaseCommand.self])
}

/// Exit status 0 done, 1 failed, 2 wrong use; messages for people on standard error.
@main
enum FieldbookCommandMain {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        let isTool = FieldbookProgram.configuration.subcommands.contains { $0._commandName == words.first }
        exit(isTool ? await runTool() : await runShellCommand(words))
    }

    /// What a worker has to know is told in sentences; the log is for whoever asks for it.
    private static func runShellCommand(_ words: [String]) async -> Int32 {
        let level = ProcessInfo.processInfo.environment["FIELDBOOK_LOG"].flatMap { Logger.Level(rawValue: $0) }
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level ?? .error
            return handler
        }
        return await OneShot.run(words)
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
        let code = FieldbookProgram.exitCode(for: error)
        let message = FieldbookProgram.fullMessage(for: error)
        switch code {
        case .success:
            print(message)
            return 0
        case .validationFailure:
            Output.message(message)
            return 2
        default:
            if !(error is ExitCode) { Output.message("Error: \(error)") }
            return 1
        }
    }
}
