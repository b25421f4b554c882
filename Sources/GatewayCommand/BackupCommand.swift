import ArgumentParser
import DocumentValues
import Foundation
import GatewayCore
import GatewayServer

/// `fieldbook-gateway backup`
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies all databases, each as it is at one moment, while the gateway runs.",
        discussion: """
            The folder holds a file for each database, the administrators' password hashes and a manifest with checksums. \
            It gets its name when it is complete. Keep it as safe as the storage itself: it is not encrypted.

            Example:  fieldbook-gateway backup --config gateway.yaml /backups/2026-11-01
            """)

    @Option(help: "The configuration of the gateway.")
    var config: String

    @Option(
        help: "A database; may be given several times. Without it all are copied; if one cannot be copied, none is.")
    var database: [String] = []

    @Argument(help: "The folder to make.")
    var folder: String

    func run() throws {
        try explainingProblems {
            let configuration = try GatewayConfiguration(file: config)
            let names = database.isEmpty ? nil : database
            for copy in try GatewayBackup(folder: folder).make(of: configuration, only: names) {
                Output.line("\(copy.name): \(copy.size) bytes, up to sequence \(copy.sequence)")
            }
        }
    }
}

/// `fieldbook-gateway restore`
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restores databases from a backup; stop the gateway before.",
        discussion: """
            Every file is checked before anything is replaced. Clients that have later changes than the backup \
            notice that and send again what the gateway has lost.

            Example:  fieldbook-gateway restore --config gateway.yaml --database field --replace /backups/2026-11-01
            """)

    @Option(help: "The configuration of the gateway.")
    var config: String

    @Option(help: "A database; may be given several times. Without it all are restored.")
    var database: [String] = []

    @Flag(help: "Moves existing databases out of the way.")
    var replace = false

    @Argument(help: "The folder that 'backup' made.")
    var folder: String

    func run() throws {
        try explainingProblems {
            let configuration = try GatewayConfiguration(file: config)
            let restored = try GatewayBackup(folder: folder).restore(
                database.isEmpty ? nil : database, to: configuration, replacing: replace)
            for result in restored {
                Output.line("\(result.copy.name): restored up to sequence \(result.copy.sequence)")
                guard let old = result.old else { continue }
                Output.line("  the earlier database is in \(old)")
                if let served = result.served, !served.isExactly(old) {
                    Output.line("  it was restored, too, but never served; the one that was served is in \(served)")
                }
                Self.showUsers(result.users)
            }
            let missing = try GatewayBackup(folder: folder).administratorsLeftOut(of: configuration)
            guard !missing.isEmpty else { return }
            Output.line(
                "The administrators are those of this gateway. The backup also has \(missing.joined(separator: ", ")): make "
                    + "them again with 'fieldbook-gateway password --new NAME'")
        }
    }
}

extension RestoreCommand {
    /// The restored database also admits people who were shut out since the backup.
    private static func showUsers(_ lines: [String]?) {
        guard let lines else {
            Output.line(
                "  users, passwords and roles are those of the backup; those of the old database cannot be read")
            return
        }
        guard !lines.isEmpty else { return }
        Output.line(
            "  users, passwords and roles are those of the backup. Check these before the gateway starts again:")
        for line in lines { Output.line("    \(line.printableLine)") }
    }
}

/// Turns errors about which a person can do something into messages.
private func explainingProblems(_ body: () throws -> Void) throws {
    do {
        try body()
    } catch let error as ConfigurationError {
        throw Failure("\(error)")
    } catch let error as BackupProblem {
        throw Failure("\(error)")
    } catch let error as CocoaError {
        let path = error.filePath.map { "\($0): " } ?? ""
        throw Failure(SystemFailure(error).map { "\($0)" } ?? path + error.localizedDescription)
    }
}
