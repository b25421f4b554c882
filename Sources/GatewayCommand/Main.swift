import ArgumentParser
import DocumentValues
import Foundation
import Glibc

/// The program `fieldbook-gateway`.
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fieldbook-gateway",
        abstract: "Serves Fieldbook laptops, and every other client of the Couchbase Mobile protocol.",
        discussion: """
            Begin with:         fieldbook-gateway init --folder gateway
            Then:               fieldbook-gateway serve --config gateway/gateway.yaml
            For a field team:   fieldbook-gateway field init --config gateway/gateway.yaml --database field
            Other databases are made through the admin port, with Sync Gateway's own requests.
            """,
        version: "0.1.0",
        subcommands: [
            InitCommand.self, ServeCommand.self, GatewayStatusCommand.self, FieldCommand.self, UserCommand.self,
            RoleCommand.self, CollectionCommand.self, SyncFunctionCommand.self, RefusalsCommand.self,
            ExportCommand.self,
            BackupCommand.self, RestoreCommand.self, CertificateCommand.self, PasswordCommand.self,
            AdministratorsCommand.self,
            SyncFunctionWorkerCommand.self,
        ])

    /// Without a subcommand: how it is used, as for any other wrong use.
    func run() async throws {
        GatewayCommandMain.report(Self.helpMessage())
        throw ExitCode(2)
    }
}

/// Exit status 0 done, 1 failed, 2 wrong use; messages for people on standard error.
@main
enum GatewayCommandMain {
    static func main() async {
        leaveNoCore()
        do {
            var command = try GatewayCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(status(explaining: error))
        }
    }

    /// A core dump would contain passwords and keys.
    private static func leaveNoCore() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    private static func status(explaining error: any Error) -> Int32 {
        if let exit = error as? ExitCode { return exit.rawValue }
        let message = GatewayCommand.fullMessage(for: error)
        switch GatewayCommand.exitCode(for: error) {
        case .success:
            print(message)
            return 0
        case .validationFailure:
            report(message)
            return 2
        default:
            report("Error: \(error)")
            return 1
        }
    }

    /// If standard error is closed, the line is lost.
    static func report(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data((message.printable + "\n").utf8))
    }
}
