import ArgumentParser
import Foundation

/// The program `fieldbook`.
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
        do {
            var command = try FieldbookProgram.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(status(explaining: error))
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
