import ArgumentParser
import DocumentValues
import GatewayServer

/// `fieldbook-gateway status`
struct GatewayStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Whether the gateway runs, its databases, and its certificate.",
        discussion: """
            The exit status is 1 where the gateway does not answer, and where it reports trouble: a database that is not \
            online, is damaged, or lacks collections or rules, a full disk, a short reserve, a certificate that cannot be \
            used or ends within 30 days, lines that the audit log lacks.

            Example:  fieldbook-gateway status --config gateway.yaml
            """)

    @Option(help: "The configuration of the gateway.")
    var config: String

    @Flag(help: "One JSON object.")
    var json = false

    func run() async throws {
        do {
            let configuration = try GatewayConfiguration(file: config)
            let status = try await GatewayStatus.read(configuration, rules: FieldSchema.syncFunction(of:))
            if json { Output.json(status.json) } else { Self.show(status, of: configuration) }
            if status.isInTrouble { throw ExitCode(1) }
        } catch let error as AdminError {
            throw Failure("\(error)")
        } catch let error as ConfigurationError {
            throw Failure("\(error)")
        }
    }

    private static func show(_ status: GatewayStatus, of configuration: GatewayConfiguration) {
        Output.line("The gateway runs: \(configuration.publicInterface.host):\(configuration.publicInterface.port)")
        if let problem = status.certificateProblem {
            Output.line("Certificate: \(problem)")
        } else if let day = status.certificateEnd {
            Output.line("Its certificate is valid until \(day)")
        }
        if status.lostAuditLines > 0 {
            Output.line(
                "The audit log lacks \(status.lostAuditLines) lines that could not be written; the log says why")
        }
        guard !status.databases.isEmpty else { return Output.line("It has no database yet") }
        for line in Table.lines([["DATABASE", "STATE", "SYNCING", "USERS", "REFUSALS"]] + status.databases.map(row)) {
            Output.line(line)
        }
        for database in status.databases {
            for note in notes(on: database) { Output.line("\(database.name.printableLine): \(note)") }
        }
    }

    private static func row(_ database: GatewayStatus.Database) -> [String] {
        [database.name, database.state.lowercased()]
            + (database.reason == nil
                ? ["\(database.syncing)", "\(database.users)", "\(database.refusals)"] : ["-", "-", "-"])
    }

    private static func notes(on database: GatewayStatus.Database) -> [String] {
        var notes: [String] = []
        if let damage = database.damage { notes.append(damage.printableLine) }
        if database.isDiskFull { notes.append("the disk is full; nothing is stored until there is room") }
        if let fault = database.storageFault {
            let kind = fault.kind.replacing("_", with: " ").printableLine
            notes.append("its storage failed at \(fault.time.printableLine) (\(kind)); the log says more")
        }
        if database.missingReserve > 0 {
            // Rounded up, so that a little is not shown as 0.
            let megabytes = (database.missingReserve + (1 << 20) - 1) >> 20
            notes.append(
                "the reserve for a full disk lacks \(megabytes) MB; it is set aside when there is room")
        }
        notes += ruleNotes(on: database)
        if !database.missing.isEmpty {
            notes.append(
                "it lacks the collections \(database.missing.joined(separator: ", ")); "
                    + "no laptop syncs without them. Make them again with: field init")
        }
        if !database.missingLater.isEmpty {
            notes.append(
                "it lacks the collections \(database.missingLater.joined(separator: ", ")) of this version; "
                    + "laptops keep their records to themselves. Add them with: field init")
        }
        if database.isOpenToGuests {
            notes.append(
                "clients that have not signed in are let in as GUEST: user show GUEST. "
                    + "Unless that is meant: user set GUEST --disable-login")
        }
        if let reason = database.reason { notes.append(reason.printableLine) }
        return notes
    }

    private static func ruleNotes(on database: GatewayStatus.Database) -> [String] {
        var notes: [String] = []
        if !database.unguarded.isEmpty {
            notes.append(
                "\(database.unguarded.joined(separator: ", ")) have no rules of their own: every user may write anything "
                    + "there. Set them again with: field init --update-sync-function")
        }
        if !database.otherRules.isEmpty {
            notes.append(
                "the rules of \(database.otherRules.joined(separator: ", ")) are not those of this version. "
                    + "Unless they are meant to be others: field init --update-sync-function")
        }
        return notes
    }
}
